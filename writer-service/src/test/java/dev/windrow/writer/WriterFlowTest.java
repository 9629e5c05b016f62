package dev.windrow.writer;

import static io.restassured.RestAssured.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.local.LocalAws;
import dev.windrow.table.TableSchema;
import dev.windrow.testing.Patience;
import dev.windrow.writer.testing.Buckets;
import dev.windrow.writer.testing.EmbeddedAws;
import dev.windrow.writer.testing.TestQueue;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import software.amazon.awssdk.services.sqs.model.Message;

@QuarkusTest
@QuarkusTestResource(value = EmbeddedAws.class, restrictToAnnotatedClass = false)
class WriterFlowTest {

    private static final Duration PATIENCE = Patience.LIMIT;

    @TestHTTPResource(value = "/", management = true)
    URI management;

    private LocalAws aws;
    private TestQueue queue;
    private TestQueue deadLetters;
    private Buckets buckets;

    @BeforeEach
    void connect() {
        queue = new TestQueue(aws.sqs(), aws.queueUrl());
        deadLetters = new TestQueue(aws.sqs(), aws.deadLetterQueueUrl());
        buckets = new Buckets(aws.dynamoDb(), aws.tableName());
        deadLetters.drain();
    }

    @Test
    void countsEveryBucketOfAnArray() {
        // When
        queue.send("""
                [{"type":"click","time":"2026-11-20T10:31:32Z","attributes":{"referrer":"array","bytes":5120}},
                 {"type":"click","time":"2026-11-20T10:31:59.5Z","attributes":{"referrer":"array","bytes":10240}},
                 {"type":"click","time":"2026-11-20T10:32:00Z","attributes":{"referrer":"array","bytes":0.5,"x":[]}}]""");

        // Then
        awaitEmpty();
        assertThat(measure("events", "array ")).containsExactlyInAnyOrderEntriesOf(Map.of(
                "array minute#2026-11-20T10:31:00Z", new BigDecimal(2),
                "array minute#2026-11-20T10:32:00Z", new BigDecimal(1),
                "array hour#2026-11-20T10:00:00Z", new BigDecimal(3),
                "array day#2026-11-20T00:00:00Z", new BigDecimal(3)));
        assertThat(measure("bytes", "array ")).containsEntry("array day#2026-11-20T00:00:00Z", new BigDecimal("15360.5"));
        assertThat(measure("largest", "array ")).containsEntry("array hour#2026-11-20T10:00:00Z", new BigDecimal("10240"));
    }

    @Test
    void countsLinesAndGoesOnAfterADamagedOne() {
        // When
        queue.send(click("lines", "2026-11-20T11:00:00Z") + "\n{\"type\":\"click\",\n\n"
                + click("lines", "2026-11-20T11:00:01Z") + "\r\n");

        // Then
        awaitEmpty();
        assertThat(measure("events", "lines ")).containsEntry("lines day#2026-11-20T00:00:00Z", new BigDecimal(2));
        Message letter = awaitDeadLetter();
        assertThat(letter.body()).isEqualTo("{\"type\":\"click\",");
        assertThat(attribute(letter, "reason")).isEqualTo("not-json");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "not-json             | this is no JSON | body",
            "not-json             | [{\"type\":\"click\"} | body",
            "not-an-object        | 42 | event",
            "unknown-event-type   | {\"type\":\"klick\",\"time\":\"2026-11-20T10:00:00Z\"} | type",
            "missing-field        | {\"type\":\"click\",\"attributes\":{\"referrer\":\"bad\"}} | time",
            "missing-field        | {\"time\":\"2026-11-20T10:00:00Z\",\"attributes\":{\"referrer\":\"bad\"}} | type",
            "missing-label        | {\"type\":\"click\",\"time\":\"2026-11-20T10:00:00Z\",\"attributes\":{\"bytes\":1}} | referrer",
            "wrong-attribute-type | {\"type\":\"click\",\"time\":\"2026-11-20T10:00:00Z\",\"attributes\":{\"referrer\":\"bad\",\"bytes\":\"1 KB\"}} | bytes",
            "wrong-attribute-type | {\"type\":\"click\",\"time\":\"2026-11-20T10:00:00Z\",\"attributes\":{\"referrer\":[\"bad\"]}} | referrer",
            "wrong-field-type     | {\"type\":\"click\",\"time\":\"2026-11-20T10:00:00Z\",\"attributes\":7} | attributes",
            "invalid-time         | {\"type\":\"click\",\"time\":\"2026-11-20T10:00:00\",\"attributes\":{\"referrer\":\"bad\"}} | time",
            "invalid-time         | {\"type\":\"click\",\"time\":\"2026-02-30T10:00:00Z\",\"attributes\":{\"referrer\":\"bad\"}} | time",
            "invalid-tenant       | {\"type\":\"click\",\"time\":\"2026-11-20T10:00:00Z\",\"tenant\":\"a b\",\"attributes\":{\"referrer\":\"bad\"}} | tenant",
            "duplicate-field      | {\"type\":\"click\",\"type\":\"click\",\"time\":\"2026-11-20T10:00:00Z\"} | type",
            "number-out-of-range  | {\"type\":\"click\",\"time\":\"2026-11-20T10:00:00Z\",\"attributes\":{\"referrer\":\"bad\",\"bytes\":1e999}} | bytes",
    })
    void sendsABadEventToTheDeadLetterQueueWithItsReason(String reason, String body, String field) {
        // When
        String id = queue.send(body);

        // Then
        Message letter = awaitDeadLetter();
        assertThat(letter.body()).isEqualTo(body);
        assertThat(attribute(letter, "reason")).isEqualTo(reason);
        assertThat(attribute(letter, "detail")).contains(field);
        assertThat(attribute(letter, "source-message-id")).isEqualTo(id);
        assertThat(attribute(letter, "first-seen")).matches("20\\d\\d-.*Z");
        awaitEmpty();
        assertThat(measure("events", "bad ")).isEmpty();
    }

    @Test
    void sendsGarbageOf300KBToTheDeadLetterQueue() {
        // Given
        String garbage = "<garbage>\u00e4".repeat(30_000);

        // When
        queue.send(garbage);

        // Then
        Message letter = awaitDeadLetter();
        assertThat(letter.body()).isEqualTo(garbage);
        assertThat(attribute(letter, "reason")).isEqualTo("not-json");
        awaitEmpty();
    }

    @Test
    void countsTheGoodEventsOfAnArrayAndSendsAwayOnlyTheBadOne() {
        // Given
        String bad = "{\"type\":\"click\", \"time\":\"noon\", \"attributes\":{\"referrer\":\"mixed\"}}";

        // When
        String id = queue.send("[" + click("mixed", "2026-11-20T12:00:00Z") + ", " + bad + " ,"
                + click("mixed", "2026-11-20T12:00:01Z") + "]");

        // Then
        Message letter = awaitDeadLetter();
        assertThat(letter.body()).isEqualTo(bad);
        assertThat(attribute(letter, "reason")).isEqualTo("invalid-time");
        assertThat(attribute(letter, "source-message-id")).isEqualTo(id);
        assertThat(attribute(letter, "source-event")).isEqualTo("1");
        awaitEmpty();
        assertThat(measure("events", "mixed ")).containsEntry("mixed day#2026-11-20T00:00:00Z", new BigDecimal(2));
    }

    @Test
    void countsVotesOfEightConcurrentProducersExactly() {
        // Given
        int producers = 8;
        int messages = 50;
        // Each candidate has 200 votes, which leave one of ten key shards empty once in a hundred million runs.
        String green = "green-" + System.nanoTime();
        String blue = "blue-" + System.nanoTime();
        ExecutorService pool = Executors.newFixedThreadPool(producers);

        // When
        List<CompletableFuture<Void>> done = new ArrayList<>();
        for (int producer = 0; producer < producers; producer++) {
            List<String> votes = IntStream.range(0, messages).mapToObj(i -> "{\"type\":\"vote\",\"time\":"
                    + (1_795_170_692 + i) + ",\"attributes\":{\"candidate\":\"" + (i % 2 == 0 ? green : blue) + "\"}}")
                    .toList();
            done.add(CompletableFuture.runAsync(() -> queue.sendAll(votes), pool));
        }
        done.forEach(CompletableFuture::join);
        pool.shutdown();

        // Then
        awaitEmpty();
        BigDecimal half = new BigDecimal(producers * messages / 2);
        assertThat(buckets.measure("votes", "votes")).containsEntry(blue + " forever#1970-01-01T00:00:00Z", half)
                .containsEntry(green + " forever#1970-01-01T00:00:00Z", half);
        assertThat(buckets.items("votes").stream().map(item -> item.get(TableSchema.PK).s())
                .filter(key -> key.contains(green) || key.contains(blue))).as("items of 2 candidates with 10 key shards")
                .hasSize(20);
        assertThat(deadLetters.size()).isZero();
    }

    @Test
    void tellsThatItIsReadyAndLiveAndWhatItDid() {
        queue.send(click("told", "2026-11-20T12:00:00Z"));
        awaitEmpty();
        assertThat(get(management.resolve("/q/health/ready")).statusCode()).isEqualTo(200);
        assertThat(get(management.resolve("/q/health/live")).statusCode()).isEqualTo(200);
        assertThat(get(management.resolve("/q/metrics")).asString()).contains("windrow_writer_messages_received_total",
                "windrow_writer_messages_decoded_total{envelope=\"plain\",kind=\"object\"",
                "windrow_writer_messages_in_flight");
    }

    private Map<String, BigDecimal> measure(String measure, String prefix) {
        Map<String, BigDecimal> values = buckets.measure("clicks", measure);
        values.keySet().removeIf(name -> !name.startsWith(prefix));
        return values;
    }

    private void awaitEmpty() {
        await().atMost(PATIENCE).until(() -> queue.size() == 0);
    }

    private Message awaitDeadLetter() {
        List<Message> letters = new ArrayList<>();
        await().atMost(PATIENCE).until(() -> {
            letters.addAll(deadLetters.drain());
            return !letters.isEmpty();
        });
        assertThat(letters).hasSize(1);
        return letters.get(0);
    }

    private static String attribute(Message message, String name) {
        return message.messageAttributes().get(name).stringValue();
    }

    private static String click(String referrer, String time) {
        return "{\"type\":\"click\",\"time\":\"" + time + "\",\"attributes\":{\"referrer\":\"" + referrer + "\"}}";
    }
}
