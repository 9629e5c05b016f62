package dev.windrow.writer.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import dev.windrow.local.fault.DynamoDbFaults;
import dev.windrow.local.fault.Fault;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.table.TableSchema;
import dev.windrow.writer.table.JournalItems;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;

class TableSweepTest extends SweptTable {

    /** Two pages. */
    private static final int ITEMS = 600;
    private static final ItemChange MARK = new ItemChange.Set(Map.of("mark", AttributeValue.fromN("1")));
    private static final double UNLIMITED = 1e12;

    @Test
    void changesThatAreThrottledAreRepeatedAlone() {
        // Given
        fill(60);
        proxy.use(FaultPlan.always(DynamoDbFaults.throttled()).first(3, FaultPlan.none()).onlyFor("Scan")
                .or(FaultPlan.always(DynamoDbFaults.throughputExceeded()).first(30, FaultPlan.none()).onlyFor("UpdateItem")));

        // When
        SweepPass pass = sweep(UNLIMITED).scan(List.of(), null, item -> Optional.of(MARK));

        // Then
        assertThat(pass).isEqualTo(new SweepPass(60, 60, true));
        assertThat(items.all()).allSatisfy(item -> assertThat(item).containsKey("mark"));
        assertThat(time.pauses()).startsWith(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(4))
                .allSatisfy(pause -> assertThat(pause).isLessThanOrEqualTo(Duration.ofSeconds(30)));
    }

    /** As on a slow machine or behind a restarting proxy, in a sweep of hours. */
    @Test
    void whatMayPassIsRepeatedAndWhatOnlyTheOperatorCanMendIsNot() {
        // Given
        fill(60);
        proxy.use(FaultPlan.always(DynamoDbFaults.internalServerError()).first(5, FaultPlan.none()).onlyFor("Scan")
                .or(FaultPlan.always(new Fault.CutBefore()).first(28, FaultPlan.none()).onlyFor("UpdateItem")));

        // When
        SweepPass pass = sweep(UNLIMITED).scan(List.of(), progress("a"), item -> Optional.of(MARK));

        // Then
        assertThat(pass.changed()).isEqualTo(60 + progressItems());
        proxy.use(FaultPlan.always(DynamoDbFaults.accessDenied()).onlyFor("Scan"));
        int before = time.pauses().size();
        assertThatThrownBy(() -> sweep(UNLIMITED).scan(List.of(), null, item -> Optional.empty()))
                .isInstanceOf(DynamoDbException.class);
        assertThat(time.pauses()).hasSize(before);
    }

    @Test
    void aTableThatThrottlesForEverEndsItAndTheNextOneGoesOnThere() {
        // Given
        fill(ITEMS);
        AtomicInteger scans = failScansAfterTheFirst(DynamoDbFaults.throttled());
        SweepProgress progress = progress("a");

        // When
        assertThatThrownBy(() -> sweep(UNLIMITED).scan(List.of(), progress, item -> Optional.of(MARK)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("table " + table + " throttled a request 10 times in a row: run the command again");

        // Then
        assertThat(scans).hasValue(11);
        assertThat(marked()).isEqualTo(500);

        // When
        proxy.use(FaultPlan.none());
        SweepPass rest = sweep(UNLIMITED).scan(List.of(), progress, item -> Optional.of(MARK));

        // Then
        assertThat(rest).isEqualTo(new SweepPass(ITEMS + progressItems() - 500, ITEMS + progressItems() - 500, false));
    }

    @Test
    void progressWithAnotherTaskOrOfAnotherCommandDoesNotCount() {
        // Given
        fill(ITEMS);
        progress("a").keep(items.all().get(300));

        // Then
        assertThat(sweep(UNLIMITED).scan(List.of(), progress("b"), item -> Optional.empty()).whole()).isTrue();
        progress("b").keep(items.all().get(300));
        assertThat(
                sweep(UNLIMITED).scan(List.of(), new SweepProgress(client, table, "other", "b"), item -> Optional.empty())
                        .whole())
                .isTrue();
        assertThat(sweep(UNLIMITED).scan(List.of(), progress("b"), item -> Optional.empty()).whole()).isFalse();
    }

    @Test
    void progressThatEndedNamesNoItem() {
        // Given
        fill(1);
        progress("a").keep(items.all().get(0));

        // When
        progress("a").end();
        progress("a").end();

        // Then
        assertThat(progress("a").read()).isEmpty();
        assertThat(items.all().toString()).containsOnlyOnce("label-0#");
    }

    @Test
    void itemsThatAreDeletedInTheMeantimeAreNotCreatedAgain() {
        // Given
        fill(3);
        Set<String> changed = new HashSet<>();
        ItemVisitor visitor = new ItemVisitor() {
            @Override
            public Optional<ItemChange> change(Map<String, AttributeValue> item) {
                if (item.get(TableSchema.PK).s().contains("label-1")) {
                    aws.dynamoDb().deleteItem(delete -> delete.tableName(table).key(item)).join();
                }
                return Optional.of(item.get(TableSchema.PK).s().contains("label-2") ? new ItemChange.Delete() : MARK);
            }

            @Override
            public void changed(Map<String, AttributeValue> item, ItemChange change) {
                changed.add(item.get(TableSchema.PK).s());
            }
        };

        // When
        SweepPass pass = sweep(UNLIMITED).scan(List.of(), null, visitor);

        // Then
        assertThat(pass).isEqualTo(new SweepPass(3, 2, true));
        assertThat(changed).containsExactlyInAnyOrder(key(0), key(2));
        assertThat(items.all()).singleElement().satisfies(item -> assertThat(item.get(TableSchema.PK).s()).isEqualTo(key(0)));
    }

    @Test
    void readsAndChangesStayWithinTheRate() {
        // Given
        fill(ITEMS);

        // When changes take a unit each, and reads almost none
        sweep(100).scan(List.of(), null, item -> Optional.of(MARK));

        // Then
        assertThat(time.passed()).isBetween(Duration.ofSeconds(ITEMS / 100), Duration.ofSeconds(ITEMS / 100 + 2));
        assertThat(time.pauses()).as("pauses of a few changes").hasSizeGreaterThan(ITEMS / 25 - 1)
                .allSatisfy(pause -> assertThat(pause).isLessThanOrEqualTo(Duration.ofMillis(500)));
    }

    @Test
    void aQueryVisitsAllPagesOfAPartitionKeyAndNothingElse() {
        // Given
        fill(2);
        items.put(IntStream.range(0, ITEMS).mapToObj(minute -> JournalItems.key(key(0), "minute#" + minute)).toList());

        // When
        SweepPass pass = sweep(UNLIMITED).query(key(0), item -> Optional.of(new ItemChange.Delete()));

        // Then
        assertThat(pass.changed()).isEqualTo(ITEMS + 1);
        assertThat(items.all()).singleElement().satisfies(item -> assertThat(item.get(TableSchema.PK).s()).isEqualTo(key(1)));
    }

    private TableSweep sweep(double unitsPerSecond) {
        return new TableSweep(client, table, unitsPerSecond, time);
    }

    private SweepProgress progress(String task) {
        return new SweepProgress(client, table, "test", task);
    }

    private void fill(int number) {
        items.put(IntStream.range(0, number).mapToObj(label -> JournalItems.key(key(label), "day")).toList());
    }

    private static String key(int label) {
        return "default#d#label-" + label + "#0";
    }

    private long marked() {
        return items.buckets().stream().filter(item -> item.containsKey("mark")).count();
    }

    /** The one in which the progress is, if the rest of the table has it. */
    private long progressItems() {
        return items.all().stream().filter(item -> item.get(TableSchema.PK).s().equals(TableSchema.DATASETS_PK)
                && item.containsKey("mark")).count();
    }
}
