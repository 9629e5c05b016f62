package dev.windrow.writer;

import static dev.windrow.writer.testing.TestQueue.attributes;
import static io.restassured.RestAssured.get;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import org.awaitility.core.ConditionTimeoutException;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.table.TableSchema;
import dev.windrow.testing.Patience;
import dev.windrow.writer.testing.Buckets;
import dev.windrow.writer.testing.TestQueue;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;

/** The service with its queue and its table, and what operators do on its management port. */
@QuarkusTest
@QuarkusTestResource(value = WriterFlowTest.EmbeddedAws.class, restrictToAnnotatedClass = false)
class WriterFlowTest {

    private static final Duration PATIENCE = Patience.LIMIT;

    @TestHTTPResource(value = "/", management = true)
    URI management;

    @ConfigProperty(name = "quarkus.log.file.path")
    Path log;

    /** Not below the root of health and metrics. */
    private URI manage;
    private LocalAws aws;
    private TestQueue queue;
    private TestQueue deadLetters;
    private Buckets buckets;

    @BeforeEach
    void connect() {
        manage = management.resolve("/manage");
        queue = new TestQueue(aws.sqs(), aws.queueUrl());
        deadLetters = new TestQueue(aws.sqs(), aws.deadLetterQueueUrl());
        buckets = new Buckets(aws.dynamoDb(), aws.tableName());
        deadLetters.drain();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "not-json             | this is no JSON | 1 | body", "not-json | <garbage>\u00e4 | 30000 | body",
            "missing-label        | {\"type\":\"click\",\"time\":\"2026-11-20T10:00:00Z\",\"attributes\":{\"bytes\":1}} | 1 | referrer",
    })
    void sendsABadEventToTheDeadLetterQueueWithItsReason(String reason, String text, int times, String field) {
        // Given, in one case 300 KB
        String body = text.repeat(times);

        // When
        String id = queue.send(body);

        // Then
        Message letter = awaitDeadLetter();
        assertThat(letter.body()).isEqualTo(body);
        assertThat(attributes(letter).get("reason")).isEqualTo(reason);
        assertThat(attributes(letter).get("detail")).contains(field);
        assertThat(attributes(letter).get("source-message-id")).isEqualTo(id);
        assertThat(attributes(letter).get("first-seen")).matches("20\\d\\d-.*Z");
        awaitEmpty();
        assertThat(measure("events", "bad ")).isEmpty();
    }

    @Test
    void countsVotesForHotLabelsInAllTheirKeyShards() {
        // Given 200 votes for each candidate, which leave one of ten key shards empty once in a hundred million runs
        String green = "green-" + System.nanoTime();
        String blue = "blue-" + System.nanoTime();

        // When
        queue.sendAll(IntStream.range(0, 400).mapToObj(i -> "{\"type\":\"vote\",\"time\":" + (1_795_170_692 + i)
                + ",\"attributes\":{\"candidate\":\"" + (i % 2 == 0 ? green : blue) + "\"}}").toList());

        // Then
        awaitEmpty();
        BigDecimal half = new BigDecimal(200);
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
                "windrow_writer_messages_in_flight").doesNotContain("http_server_", "vertx_http_");
    }

    /** What a healthy service logs: nothing to worry about. */
    @Test
    void registersNoGaugeTwiceAndLogsNoRequestForItsEnd() throws IOException {
        // Given connections to both ports, over several event loops
        for (int i = 0; i < 8; i++) {
            assertThat(given().header("Connection", "close").get("/").statusCode()).isEqualTo(404);
            assertThat(given().header("Connection", "close").get(management.resolve("/q/health/live")).statusCode())
                    .isEqualTo(200);
        }

        // Then
        assertThat(Files.readAllLines(log)).anyMatch(line -> line.contains("INFO"))
                .noneMatch(line -> line.contains("already registered") || line.contains("MeterRegistry")
                        || line.contains("HttpClientRequestImpl"));
    }

    @Tag("slow")
    @Test
    void receivesNothingWhilePausedAndGoesOnWhenResumed() {
        // Given
        given().post(manage + "/pause").then().statusCode(200);

        // When receives that were under way have taken what they take
        int sent = 0;
        do {
            queue.send(click("paused"));
            sent++;
        } while (!staysInQueue());

        // Then
        assertThat(given().get(manage + "/state").jsonPath().getBoolean("paused")).isTrue();
        assertThat(get(management.resolve("/q/health/ready")).statusCode()).isEqualTo(503);
        given().post(manage + "/resume").then().statusCode(200);
        await().atMost(PATIENCE).until(() -> queue.size() == 0);
        assertThat(get(management.resolve("/q/health/ready")).statusCode()).isEqualTo(200);
        assertThat(events("paused")).isEqualByComparingTo(Integer.toString(sent));
    }

    private boolean staysInQueue() {
        try {
            await().during(Duration.ofSeconds(1)).atMost(Duration.ofSeconds(2)).until(() -> queue.size() > 0);
            return true;
        } catch (ConditionTimeoutException taken) {
            return false;
        }
    }

    @Test
    void listsDeadLettersAndReplaysWhatWasNotCounted() {
        // Given an array whose bad event could not be counted
        queue.send("[" + click("replayed") + ",{\"type\":\"click\",\"attributes\":{\"referrer\":\"replayed\"}}]");
        await().atMost(PATIENCE).until(() -> deadLetters.size() == 1 && queue.size() == 0);

        // When
        List<Map<String, Object>> letters = given().get(manage + "/dead-letters?limit=5").jsonPath().getList("items");
        int replayed = given().post(manage + "/dead-letters/replay").jsonPath().getInt("replayed");

        // Then
        assertThat(letters).singleElement().satisfies(letter -> {
            assertThat(letter).containsEntry("body", "{\"type\":\"click\",\"attributes\":{\"referrer\":\"replayed\"}}");
            assertThat(letter.get("attributes").toString()).contains("missing-field", "source-event");
        });
        assertThat(replayed).isEqualTo(1);
        await().atMost(PATIENCE).until(() -> deadLetters.size() == 1 && queue.size() == 0);
        assertThat(events("replayed")).isEqualByComparingTo("1");
    }

    @Test
    void countsAReplayedMessageOnlyOnceThatWasCountedBefore() {
        // Given a message that was counted, and that the queue's redrive policy moved although it was; the letter of its
        // bad event shows when it was sent
        queue.send("[" + click("redriven") + ",{}]");
        await().atMost(PATIENCE).until(() -> queue.size() == 0 && deadLetters.size() == 1);
        Map<String, MessageAttributeValue> letter = deadLetters.drain().get(0).messageAttributes();
        deadLetters.send("[" + click("redriven") + "]", Map.of("source-message-id",
                letter.get("source-message-id").stringValue(), "source-sent", letter.get("source-sent").stringValue(),
                "reason", "refused"));

        // When
        given().post(manage + "/dead-letters/replay?limit=10").then().statusCode(200);

        // Then
        await().atMost(PATIENCE).until(() -> deadLetters.size() == 0 && queue.size() == 0);
        assertThat(events("redriven")).isEqualByComparingTo("1");
    }

    @Test
    void goesOnAfterLettersThatCannotBeReplayedAndSaysWhy() {
        // Given a letter from before what is remembered, one with as many attributes as SQS takes, and a good one
        String old = deadLetters.send(click("old"), Map.of("source-message-id", "old", "source-sent",
                Long.toString(Instant.now().minus(Duration.ofDays(16)).toEpochMilli())));
        Map<String, String> many = new HashMap<>(Map.of("tenant", "acme"));
        for (int i = 0; i < 9; i++) {
            many.put("attribute-" + i, "x");
        }
        deadLetters.send(click("crowded"), many);
        deadLetters.send(click("good"), Map.of("reason", "refused"));

        // When
        JsonPath answer = given().post(manage + "/dead-letters/replay").jsonPath();

        // Then
        assertThat(answer.getInt("replayed")).isEqualTo(2);
        assertThat(answer.getInt("left")).isEqualTo(1);
        assertThat(answer.getList("letters.id")).containsExactly(old);
        assertThat(answer.getList("letters.reason")).containsExactly("claim-expired");
        await().atMost(PATIENCE).until(() -> queue.size() == 0 && deadLetters.size() == 1);
        assertThat(events("good")).isEqualByComparingTo("1");
        assertThat(events("old")).isNull();
        assertThat(buckets.items("clicks")).as("counted for its tenant")
                .anySatisfy(item -> assertThat(item.get("pk").s()).startsWith("acme#clicks#crowded"));
    }

    @Tag("slow")
    @Test
    void listsManyLargeLettersWithoutHoldingThemAll() {
        // Given
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 45; i++) {
            ids.add(deadLetters.send("x".repeat(200_000) + i));
        }

        // When
        List<String> listed = given().get(manage + "/dead-letters?limit=1000").jsonPath().getList("items.id");
        List<String> again = given().get(manage + "/dead-letters?limit=12").jsonPath().getList("items.id");

        // Then all are listed once, and visible to others again
        assertThat(listed).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(again).hasSize(12).isSubsetOf(ids);
    }

    @Test
    void namesAWrongLimit() {
        assertThat(given().get(manage + "/dead-letters?limit=all").then().statusCode(400).extract().asString())
                .contains("invalid-parameter", "limit");
    }

    @Test
    void offersNothingOnThePublicPort() {
        given().get("/manage/state").then().statusCode(404);
        given().post("/manage/pause").then().statusCode(404);
        given().get("/q/health").then().statusCode(404);
        given().get("/q/health/live").then().statusCode(404);
        given().get("/q/health/ready").then().statusCode(404);
        given().get("/q/health/started").then().statusCode(404);
        given().get("/q/metrics").then().statusCode(404);
    }

    private BigDecimal events(String referrer) {
        return buckets.measure("clicks", "events").get(referrer + " day#2026-11-20T00:00:00Z");
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

    private static String click(String referrer, String time) {
        return "{\"type\":\"click\",\"time\":\"" + time + "\",\"attributes\":{\"referrer\":\"" + referrer + "\"}}";
    }

    private static String click(String referrer) {
        return click(referrer, "2026-11-20T10:31:32Z");
    }

    /** Starts the embedded servers before the writer, and points the writer to them. */
    public static class EmbeddedAws implements QuarkusTestResourceLifecycleManager {

        private LocalAws aws;

        @Override
        public Map<String, String> start() {
            aws = LocalAws.start(LocalAwsOptions.forTests());
            Map<String, String> settings = new HashMap<>();
            settings.put("quarkus.dynamodb.endpoint-override", aws.dynamoDbEndpoint().toString());
            settings.put("quarkus.sqs.endpoint-override", aws.sqsEndpoint().toString());
            for (String client : new String[] { "dynamodb", "sqs" }) {
                settings.put("quarkus." + client + ".aws.region", "us-east-1");
                settings.put("quarkus." + client + ".aws.credentials.type", "static");
                settings.put("quarkus." + client + ".aws.credentials.static-provider.access-key-id", "windrow");
                settings.put("quarkus." + client + ".aws.credentials.static-provider.secret-access-key", "windrow");
            }
            settings.put("windrow.datasets-file", "src/test/resources/datasets.yaml");
            settings.put("windrow.writer.aggregate.max-age", "100ms");
            settings.put("windrow.writer.management.enabled", "true");
            settings.put("quarkus.log.file.enabled", "true");
            settings.put("quarkus.log.file.path", logFile().toString());
            return settings;
        }

        private static Path logFile() {
            try {
                Path file = Files.createTempFile("windrow-writer", ".log");
                file.toFile().deleteOnExit();
                return file;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void inject(TestInjector injector) {
            injector.injectIntoFields(aws, new TestInjector.MatchesType(LocalAws.class));
        }

        @Override
        public void stop() {
            if (aws != null) {
                aws.close();
            }
        }
    }
}
