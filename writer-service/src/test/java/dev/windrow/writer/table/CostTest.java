package dev.windrow.writer.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.testing.Seeds;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.testing.Buckets;
import dev.windrow.writer.testing.EmbeddedTables;
import dev.windrow.writer.testing.TestUnits;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * What claims cost beside the updates of buckets, in a steady stream of 2,000 events a second over 200 labels. Time is virtual,
 * so that the figures depend on nothing but the seed.
 */
@Tag("slow")
class CostTest {

    private static final int LABELS = 200;
    private static final int EVENTS_PER_SECOND = 2_000;
    private static final int SECONDS = 5;
    private static final int SECONDS_BEFORE = 15;
    private static final Duration STEP = Duration.ofSeconds(1).dividedBy(EVENTS_PER_SECOND);
    /** Events between two looks at what is due. */
    private static final int TICK = 100;
    private static final String DATASETS = """
            windrow:
              datasets:
                clicks:
                  event-type: click
                  label: [referrer]
                  granularities: [hour]
                  index: [hour]
                  measures:
                    events: {type: count}
                    bytes: {type: sum, attribute: bytes}
            """;
    private static final String VIEWS = """
            windrow:
              datasets:
                views:
                  event-type: view
                  label: [referrer, url]
                  granularities: [minute, hour, day]
                  index: [day]
                  measures: {events: {type: count}}
            """;
    /** Far ahead: what the journal lets expire, the table may delete, by the time of the machine. */
    private static final Instant BEGIN = Instant.parse("2090-11-20T10:31:00Z");

    @AutoClose
    private static EmbeddedTables tables = new EmbeddedTables();

    @Test
    void claimsCostLittleBesideWhatTheyAdd() {
        Cost single = cost("single", 1, DATASETS);
        Cost hundred = cost("hundred", 100, DATASETS);

        System.out.println("cost of messages of one event: " + single);
        System.out.println("cost of messages of 100 events: " + hundred);
        assertThat(single.events()).isEqualTo(hundred.events()).isEqualTo(SECONDS * EVENTS_PER_SECOND);
        assertThat(single.ratio()).isLessThanOrEqualTo(1.3);
        assertThat(hundred.ratio()).isLessThanOrEqualTo(1.15);
    }

    /** Another attribute of a bucket takes no other write unit, nor does it another one of the index. */
    @Test
    void bucketsCostTheSameWithARetention() {
        String kept = DATASETS.replace("index: [hour]", "index: [hour]\n      retention: {hour: 30d}");

        assertThat(cost("expiring", 100, kept)).isEqualTo(cost("staying", 100, DATASETS));
        assertThat(tables.dynamoDb().scan(scan -> scan.tableName("expiring").filterExpression("begins_with(sk, :hour)")
                .expressionAttributeValues(Map.of(":hour", AttributeValue.fromS("hour#")))).join().items())
                .hasSizeGreaterThan(LABELS).allSatisfy(item -> assertThat(item.get("ttl"))
                        .isEqualTo(
                                AttributeValue.fromN(Long.toString(Instant.parse(item.get("sk").s().substring("hour#".length()))
                                        .plus(Duration.ofHours(1)).plus(Duration.ofDays(31)).getEpochSecond()))));
    }

    /** One unit for each bucket of a label, and one more for each that is indexed, with and without a partition. */
    @Test
    void bucketsCostTheSameWithAPartition() {
        Map<String, Double> units = new TreeMap<>();
        for (String partition : List.of("", "\n      partition: 1")) {
            String name = partition.isEmpty() ? "whole" : "partitioned";
            String datasets = VIEWS.replace("[referrer, url]", "[referrer, url]" + partition);
            DynamoTable table = tables.create(name);
            CountingWrites writes = new CountingWrites(table);
            VirtualJournal journal = new VirtualJournal(writes, table, DatasetsYaml.parse("test", datasets), BEGIN);
            List<String> events = new ArrayList<>();
            for (int event = 0; event < 4 * LABELS; event++) {
                int label = event % LABELS;
                events.add("{\"type\":\"view\",\"time\":\"" + BEGIN + "\",\"attributes\":{\"referrer\":\"r" + label % 3
                        + "\",\"url\":\"/" + label + "\"}}");
            }
            journal.receive(new TestUnits(datasets).of(TestUnits.message("m", BEGIN, events.toString())));
            journal.settle();
            units.put(name, writes.bucketUnits());
            assertThat(new Buckets(tables.dynamoDb(), name).measure("views", "events")).hasSize(3 * LABELS)
                    .allSatisfy((bucket, counted) -> assertThat(counted).isEqualByComparingTo("4"));
        }

        double granularities = 3;
        double indexed = 1;
        assertThat(units).containsExactlyInAnyOrderEntriesOf(
                Map.of("whole", (granularities + indexed) * LABELS, "partitioned", (granularities + indexed) * LABELS));
    }

    /** @param bucketUnits those of buckets, which an aggregation that remembers nothing would take too */
    private record Cost(long events, int updates, double units, double bucketUnits) {

        double ratio() {
            return units / bucketUnits;
        }

        @Override
        public String toString() {
            return "%d events in %d updates of buckets, %.3f write units per event, %.3f times those of the buckets"
                    .formatted(events, updates, units / events, ratio());
        }
    }

    private static Cost cost(String name, int eventsOfAMessage, String datasets) {
        DynamoTable table = tables.create(name);
        CountingWrites writes = new CountingWrites(table);
        VirtualJournal journal = new VirtualJournal(writes, table, DatasetsYaml.parse("test", datasets), BEGIN);
        TestUnits units = new TestUnits(datasets);
        RandomGenerator random = Seeds.random("cost");
        // The end of the minute before: by the rate at which it was claimed, the next one is cut into slots.
        for (int sent = -SECONDS_BEFORE * EVENTS_PER_SECOND; sent < 0; sent += eventsOfAMessage) {
            journal.receive(units.of(message(sent, eventsOfAMessage, number -> "before")));
        }
        journal.settle();
        double unitsBefore = writes.units();
        double bucketUnitsBefore = writes.bucketUnits();
        int updatesBefore = writes.bucketUpdates();
        for (int sent = 0; sent < SECONDS * EVENTS_PER_SECOND; sent += eventsOfAMessage) {
            journal.receive(units.of(message(sent, eventsOfAMessage, number -> "r" + random.nextInt(LABELS))));
            if (sent % TICK == 0) {
                journal.advance(STEP.multipliedBy(TICK));
            }
        }
        journal.settle();
        long counted = new Buckets(tables.dynamoDb(), name).measure("clicks", "events").entrySet().stream()
                .filter(bucket -> bucket.getKey().startsWith("r")).map(Map.Entry::getValue)
                .reduce(BigDecimal.ZERO, BigDecimal::add).longValueExact();
        return new Cost(counted, writes.bucketUpdates() - updatesBefore, writes.units() - unitsBefore,
                writes.bucketUnits() - bucketUnitsBefore);
    }

    /** A message with a number of events, numbered from a start. */
    private static Message message(int first, int events, IntFunction<String> referrer) {
        List<String> all = new ArrayList<>();
        for (int number = first; number < first + events; number++) {
            all.add("{\"type\":\"click\",\"time\":\"" + time(number) + "\",\"attributes\":{\"referrer\":\""
                    + referrer.apply(number) + "\",\"bytes\":" + Math.abs(number) + "}}");
        }
        return TestUnits.message("m" + first, time(first + events - 1), all.toString());
    }

    private static Instant time(int number) {
        return BEGIN.plusNanos(number * STEP.toNanos());
    }
}
