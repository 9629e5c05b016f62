package dev.windrow.writer.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.DatasetShape;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.table.TableSchema;
import dev.windrow.testing.Patience;
import dev.windrow.writer.testing.Items;
import dev.windrow.writer.testing.PlainClients;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

class DatasetRegistryTest {

    private static final String DATASETS = """
            windrow:
              datasets:
                clicks:
                  event-type: click
                  label: [referrer]
                  granularities: [minute, hour]
                  index: [hour]
                  key-shards: 2
                  dedupe: event-id
                  measures:
                    events: {type: count}
                    bytes: {type: sum, attribute: bytes}
                  scatter: [{width: 10}]
            """;
    private static final String ORDERS = """
                orders: {event-type: order, label: [shop], granularities: [day], measures: {orders: {type: count}}}
            """;
    private static final Pattern FINGERPRINT = Pattern.compile("windrow\\.writer\\.accept-datasets=([0-9a-f]{16})");

    @AutoClose
    private static LocalAws aws;
    private static int tables;

    private DatasetRegistry registry;
    private String table;

    @BeforeAll
    static void startServers() {
        aws = LocalAws.start(LocalAwsOptions.forTests().withoutProvisioning());
    }

    @BeforeEach
    void createTable() {
        table = "table-" + tables++;
        aws.createTable(table);
        registry = new DatasetRegistry(PlainClients.table(aws.dynamoDb(), table));
    }

    @Test
    void theFirstWriterEntersItsDatasetsAndTheSameOnesAreLetIn() {
        enter(DATASETS, null);
        enter(DATASETS, null);

        assertThat(items()).singleElement()
                .satisfies(item -> assertThat(item).containsKeys("d_clicks")
                        .doesNotContainKeys(TableSchema.INDEX_PK, TableSchema.INDEX_SK));
    }

    @Test
    void oneOfTwoDifferentWritersThatStartAtOnceIsRefused() {
        // Given
        String other = DATASETS.replace("minute, hour", "minute, hour, day");

        // When
        List<CompletableFuture<Void>> starts = new ArrayList<>();
        for (String datasets : List.of(DATASETS, other, DATASETS, other)) {
            starts.add(registry.enter(parse(datasets), Optional.empty()).subscribeAsCompletionStage());
        }

        // Then
        long refused = starts.stream().map(start -> start.handle((done, failure) -> failure != null).join())
                .filter(failed -> failed).count();
        assertThat(refused).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "event-type: click | event-type: tap | event-type | false",
            "label: [referrer] | label: [referrer, country] | label | true",
            "[minute, hour] | [minute, hour, day] | granularities | false",
            "key-shards: 2 | key-shards: 3 | key-shards | true",
            "dedupe: event-id | dedupe: message | dedupe | false",
            "events: {type: count} | happened: {type: count} | measures | false",
            "attribute: bytes | attribute: size | measures | false",
            "type: sum | type: max | measures | false",
    })
    void whatWouldCountTwiceIsRefusedWithTheFieldAndWhatIsLostAndWhatToDo(String before, String after, String field,
            boolean lost) {
        // Given
        enter(DATASETS, null);
        String edited = DATASETS.replace(before, after);

        // When, then
        assertThatThrownBy(() -> enter(edited, null)).isInstanceOfSatisfying(InvalidInputException.class, refusal -> {
            assertThat(refusal.reason()).isEqualTo(Reason.DATASETS_CHANGED);
            assertThat(refusal.getMessage().contains("not found any more")).isEqualTo(lost);
        }).hasMessageContaining("clicks: " + field + ": expected '").hasMessageContaining("empty the queue")
                .hasMessageContaining("windrow.writer.accept-datasets=");
        enter(DATASETS, null);
    }

    @Test
    void anotherPartitionIsRefusedAlsoIfTheTableWasWrittenByAReleaseThatKnewNone() {
        // Given
        String two = DATASETS.replace("label: [referrer]", "label: [referrer, url]");
        String one = two.replace("label: [referrer, url]", "label: [referrer, url]\n      partition: 1");
        enter(two, null);
        register(DatasetShape.of(parse(two).all().get(0), List.of()).text().replace("partition=the whole label\n", ""));

        // When, then
        assertThatThrownBy(() -> enter(one, null))
                .hasMessageContaining("clicks: partition: expected 'the whole label', found '1'");
        enter(two, null);
        enter(one, refusal(one));
        assertThatThrownBy(() -> enter(two, null))
                .hasMessageContaining("clicks: partition: expected '1', found 'the whole label'");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "[{width: 10}] | [{width: 10}, {from: 2027-01-01T00:00:00Z, width: 100}]",
            "{type: count} | {type: count, floor: 0}",
            "[minute, hour] | [hour, minute]",
    })
    void whatIsSafeIsLetIn(String before, String after) {
        enter(DATASETS, null);

        enter(DATASETS.replace(before, after), null);
    }

    @Test
    void aGranularityThatIsAddedToTheIndexIsRefusedUntilItIsAccepted() {
        // Given
        enter(DATASETS, null);
        String more = DATASETS.replace("index: [hour]", "index: [minute, hour]");

        // When
        assertThatThrownBy(() -> enter(more, null)).isInstanceOfSatisfying(InvalidInputException.class,
                refusal -> assertThat(refusal.reason()).isEqualTo(Reason.DATASETS_CHANGED))
                .hasMessageContaining("clicks: index: expected 'hour', found 'minute hour'")
                .hasMessageContaining("queries that read the index could miss them")
                .hasMessageNotContainingAny("count twice", "empty the queue");
        enter(more, refusal(more));

        // Then
        enter(more, null);
    }

    @Test
    void aGranularityThatHasLeftTheIndexIsRefusedWhenItComesBack() {
        // Given
        String more = DATASETS.replace("index: [hour]", "index: [minute, hour]");
        String none = DATASETS.replace("      index: [hour]\n", "");
        enter(more, null);

        // When
        enter(DATASETS, null);
        enter(none, null);

        // Then
        assertThatThrownBy(() -> enter(DATASETS, null))
                .hasMessageContaining("clicks: index: expected '', found 'hour'");
        enter(none, null);
    }

    @Test
    void theIndexIsRecordedInATableThatWasWrittenByAReleaseThatDidNot() {
        // Given
        enter(DATASETS, null);
        register(DatasetShape.of(parse(DATASETS).all().get(0), List.of()).text().replace("\nindex=hour", "") + "\nlater=field");
        String more = DATASETS.replace("index: [hour]", "index: [minute, hour]");

        // When
        enter(DATASETS, null);

        // Then
        assertThat(items()).singleElement().satisfies(
                item -> assertThat(item.get("d_clicks").s().lines()).contains("index=hour", "later=field"));
        assertThatThrownBy(() -> enter(more, null)).isInstanceOf(InvalidInputException.class);
    }

    @Test
    void aNewDatasetIsRefusedUntilItIsAccepted() {
        // Given
        enter(DATASETS, null);
        String more = DATASETS + ORDERS;

        // When
        String fingerprint = refusal(more);
        enter(more, fingerprint);

        // Then datasets with and without the new one are accepted
        enter(more, null);
        enter(DATASETS, null);
    }

    @Test
    void acceptanceHoldsForTheDatasetsThatWereShownAndForNoOthers() {
        // Given
        enter(DATASETS, null);
        String edited = DATASETS.replace("minute, hour", "minute, hour, day");
        String fingerprint = refusal(edited);

        // When
        assertThatThrownBy(() -> enter(edited.replace("key-shards: 2", "key-shards: 4"), fingerprint))
                .isInstanceOf(InvalidInputException.class);
        enter(edited, fingerprint);

        // Then the earlier datasets are refused
        assertThatThrownBy(() -> enter(DATASETS, fingerprint)).isInstanceOf(InvalidInputException.class);
        enter(edited, null);
    }

    @Test
    void manyDatasetsAreEnteredInParts() {
        // Given
        String first = DATASETS + orders(0, 500, "day");
        String second = first + orders(500, 900, "day");

        // When
        enter(first, null);
        enter(second, refusal(second));
        String edited = second.replace("granularities: [day]", "granularities: [hour]");
        enter(edited, refusal(edited));

        // Then
        enter(edited, null);
        assertThatThrownBy(() -> enter(second, null)).isInstanceOf(InvalidInputException.class);
        assertThat(items()).singleElement()
                .satisfies(item -> assertThat(item.keySet()).hasSize(2 + 901));
    }

    @Test
    void aFirstEntryThatWasInterruptedIsContinuedByTheSameDatasetsAlone() {
        // Given
        String datasets = DATASETS + orders(0, 200, "day");
        enter(datasets, null);
        Map<String, AttributeValue> whole = items().get(0);
        String marker = DatasetRegistry.fingerprint(shapes(datasets));
        Map<String, AttributeValue> part = new HashMap<>(whole);
        part.keySet().removeIf(attribute -> attribute.startsWith("d_orders1"));
        part.put(TableSchema.ENTERING, AttributeValue.fromS(marker));

        // When, then
        aws.dynamoDb().putItem(put -> put.tableName(table).item(part)).join();
        enter(datasets, null);
        assertThat(items()).containsExactly(whole);

        // When, then
        aws.dynamoDb().putItem(put -> put.tableName(table).item(part)).join();
        assertThatThrownBy(() -> enter(datasets + orders(200, 201, "day"), null)).isInstanceOf(InvalidInputException.class);
        enter(DATASETS, null);
        assertThatThrownBy(() -> enter(datasets, null)).isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("orders1: new");
    }

    @Test
    void writersOfTheSameManyDatasetsMayStartAtOnce() {
        String datasets = DATASETS + orders(0, 300, "day");

        List<CompletableFuture<Void>> starts = new ArrayList<>();
        for (int writer = 0; writer < 4; writer++) {
            starts.add(registry.enter(parse(datasets), Optional.empty()).subscribeAsCompletionStage());
        }

        assertThat(starts).allSatisfy(start -> start.join());
        assertThat(items()).singleElement()
                .satisfies(item -> assertThat(item.keySet()).hasSize(2 + 301).doesNotContain(TableSchema.ENTERING));
    }

    @Test
    void moreDeclarationsThanAnItemHoldsAreRefusedWithTheLimit() {
        String label = IntStream.range(0, 8).mapToObj(part -> "a".repeat(200) + part).collect(Collectors.joining(", "));
        String datasets = DATASETS + orders(0, 300, "day").replace("[shop]", "[" + label + "]");

        assertThatThrownBy(() -> enter(datasets, null)).isInstanceOfSatisfying(InvalidInputException.class,
                refusal -> assertThat(refusal.reason()).isEqualTo(Reason.INVALID_DATASETS))
                .hasMessageContaining("400 KB");
    }

    private List<Map<String, AttributeValue>> items() {
        return new Items(aws.dynamoDb(), table).all();
    }

    private static String orders(int from, int to, String granularity) {
        return IntStream.range(from, to).mapToObj(ORDERS.replace("[day]", "[" + granularity + "]")
                .replace("    orders:", "    orders%d:").replace("\n", "%n")::formatted).collect(Collectors.joining());
    }

    private static Map<String, DatasetShape> shapes(String datasets) {
        return parse(datasets).all().stream()
                .collect(Collectors.toMap(Dataset::name, dataset -> DatasetShape.of(dataset, List.of())));
    }

    /** Registers a shape as another release may have done. */
    private void register(String shape) {
        aws.dynamoDb().updateItem(update -> update.tableName(table)
                .key(JournalItems.key(TableSchema.DATASETS_PK, TableSchema.DATASETS_SK))
                .updateExpression("SET d_clicks = :shape")
                .expressionAttributeValues(Map.of(":shape", AttributeValue.fromS(shape)))).join();
    }

    private String refusal(String datasets) {
        try {
            enter(datasets, null);
        } catch (InvalidInputException refusal) {
            Matcher matcher = FINGERPRINT.matcher(String.valueOf(refusal.getMessage()));
            assertThat(matcher.find()).isTrue();
            return matcher.group(1);
        }
        throw new AssertionError("expected a refusal");
    }

    private void enter(String datasets, String accepted) {
        registry.enter(parse(datasets), Optional.ofNullable(accepted)).await().atMost(Patience.LIMIT);
    }

    private static Datasets parse(String datasets) {
        return DatasetsYaml.parse("test", datasets);
    }
}
