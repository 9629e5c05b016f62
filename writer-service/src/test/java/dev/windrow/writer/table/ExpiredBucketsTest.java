package dev.windrow.writer.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.testing.Patience;
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

    private static EmbeddedTables tables;

    @BeforeAll
    static void startServers() {
        tables = new EmbeddedTables();
    }

    @AfterAll
    static void stopServers() {
        tables.close();
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
