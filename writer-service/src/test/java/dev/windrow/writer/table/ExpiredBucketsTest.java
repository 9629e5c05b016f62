package dev.windrow.writer.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.testing.Patience;
import dev.windrow.testing.Seeds;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.testing.Buckets;
import dev.windrow.writer.testing.EmbeddedTables;
import dev.windrow.writer.testing.TestUnits;

/** What DynamoDB does with buckets that are over: it looks for items to delete every few seconds when it is local. */
@Tag("slow")
class ExpiredBucketsTest {

    private static final String CLICKS = """
            windrow:
              datasets:
                clicks: {event-type: click, label: [host], granularities: [minute, hour], index: [minute, hour],
                  measures: {events: {type: count}, last: {type: last, attribute: size}}, retention: {minute: 2d}}
            """;

    @AutoClose
    private static EmbeddedTables tables = new EmbeddedTables();

    /** Far ahead, as what expires before the time of the machine is deleted. */
    private static final Instant IMPORTED = Instant.parse("2090-11-20T10:31:00Z");
    private static final int YEARS = 3;
    private static final int EVENTS = 2_000;
    private static final int OF_A_MESSAGE = 50;

    @Test
    void anImportOfYearsWritesOnlyWhatIsStillKept() {
        // Given
        String datasets = CLICKS.replace("granularities: [minute, hour]", "granularities: [minute, hour, day]")
                .replace("{minute: 2d}", "{minute: 2d, hour: 400d}");
        RandomGenerator random = Seeds.random("import");
        DynamoTable table = tables.create("import");
        VirtualJournal journal = new VirtualJournal(table, table, DatasetsYaml.parse("test", datasets), IMPORTED);
        Map<String, BigDecimal> expected = new TreeMap<>();
        List<Message> messages = new ArrayList<>();
        for (int first = 0; first < EVENTS; first += OF_A_MESSAGE) {
            List<String> events = new ArrayList<>();
            for (int event = 0; event < OF_A_MESSAGE; event++) {
                Instant time = IMPORTED.minusSeconds(random.nextInt(8) == 0 ? random.nextLong(4 * 86_400)
                        : random.nextLong(YEARS * 365 * 86_400L));
                events.add("{\"type\":\"click\",\"time\":\"" + time + "\",\"attributes\":{\"host\":\"h\",\"size\":1}}");
                count(expected, "minute", time.truncatedTo(ChronoUnit.MINUTES), Duration.ofMinutes(1), Duration.ofDays(2));
                count(expected, "hour", time.truncatedTo(ChronoUnit.HOURS), Duration.ofHours(1), Duration.ofDays(400));
                count(expected, "day", time.truncatedTo(ChronoUnit.DAYS), Duration.ofDays(1), Duration.ofDays(9_999));
            }
            messages.add(TestUnits.message("m" + first, IMPORTED, events.toString()));
        }
        Buckets buckets = new Buckets(tables.dynamoDb(), "import");

        // When
        messages.forEach(message -> journal.receive(new TestUnits(datasets).of(message)));
        journal.settle();

        // Then
        assertThat(buckets.measure("clicks", "events")).isEqualTo(expected);

        // When all are delivered again, at a time when fewer buckets are kept
        journal.advance(Duration.ofDays(1));
        messages.forEach(message -> journal.receive(new TestUnits(datasets).of(message)));
        journal.settle();

        // Then
        assertThat(journal.duplicates()).isEqualTo(messages.size());
        assertThat(buckets.measure("clicks", "events")).isEqualTo(expected);
    }

    private static void count(Map<String, BigDecimal> expected, String granularity, Instant start, Duration length,
            Duration kept) {
        if (start.plus(length).plus(kept).isAfter(IMPORTED)) {
            expected.merge("h " + granularity + "#" + start, BigDecimal.ONE, BigDecimal::add);
        }
    }

    @Test
    void dynamoDbDeletesThemAndKeepsTheOthers() {
        // Given
        Instant sent = Instant.now().minus(Duration.ofDays(10)).truncatedTo(ChronoUnit.SECONDS);
        DynamoTable table = tables.create("clicks");
        VirtualJournal journal = new VirtualJournal(table, table, DatasetsYaml.parse("test", CLICKS), sent);
        Buckets buckets = new Buckets(tables.dynamoDb(), "clicks");

        // When
        journal.receive(new TestUnits(CLICKS).of(TestUnits.message("m", sent, "{\"type\":\"click\",\"time\":\"" + sent
                + "\",\"attributes\":{\"host\":\"h\",\"size\":1}}")));
        journal.settle();

        // Then
        String hour = "h hour#" + sent.truncatedTo(ChronoUnit.HOURS);
        await().atMost(Patience.LIMIT)
                .untilAsserted(() -> assertThat(buckets.measure("clicks", "events")).containsOnlyKeys(hour));
        assertThat(buckets.measure("clicks", "events").get(hour)).isEqualByComparingTo("1");
    }
}
