package dev.windrow.writer;

import static dev.windrow.writer.testing.TestQueue.attributes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.local.fault.DynamoDbFaults;
import dev.windrow.local.fault.Fault;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.testing.GeneratedCases;
import dev.windrow.testing.Patience;
import dev.windrow.writer.WriterWiring.FlowSettings;
import dev.windrow.writer.queue.DeadLetterOperations;
import dev.windrow.writer.table.JournalItems;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.sqs.model.Message;

/** What the table never takes becomes dead letters, which are counted when they are replayed; all others go on. */
class LettersTest {

    private static final FlowSettings BRIEFLY_DENIED = InProcessWriter.deniedFor(Duration.ofMillis(500));
    private static final String MINUTE = "minute#2026-11-20T10:31:00Z";
    /** DynamoDB's limit of an item, less its keys and this attribute's name. */
    private static final int ALMOST_FULL_BYTES = 409_600 - 80;
    /** With what each lacks, more than is written at a time. */
    private static final int LABELS = 20;
    /** Of each label three granularities, each with what adds up and an extreme. */
    private static final int LETTERS = 6 * LABELS;

    @AutoClose
    private static LocalAws aws;

    @AutoClose
    private InProcessSite site = new InProcessSite(aws, InProcessSite.spec(""));

    @BeforeAll
    static void startServers() {
        aws = LocalAws.start(LocalAwsOptions.forTests());
    }

    /** Why an item rejects what is added to it. */
    private enum Trouble {
        WRONG_TYPE("m_events"),
        NUMBER_OUT_OF_RANGE("m_bytes"),
        ITEM_TOO_LARGE("padding");

        private final String attribute;

        Trouble(String attribute) {
            this.attribute = attribute;
        }

        AttributeValue value() {
            return switch (this) {
                case WRONG_TYPE -> AttributeValue.fromS("seven");
                case NUMBER_OUT_OF_RANGE -> AttributeValue.fromN("9".repeat(38));
                case ITEM_TOO_LARGE -> AttributeValue.fromS("x".repeat(ALMOST_FULL_BYTES));
            };
        }
    }

    /** Which item rejects what is added to it. */
    private enum Place {
        PARTITION_OF_ITS_OWN("click", "poisoned", "poisoned", MINUTE),
        PARTITION_OF_OTHERS("view", "r,/poisoned", "r", MINUTE + "#/poisoned"),
        KEY_THAT_SQS_REJECTS("click", "poisoned\uffff", "poisoned\uffff", MINUTE);

        private final String type;
        private final String bucket;
        private final String partitionKey;
        private final String sortKey;

        Place(String type, String label, String partition, String sortKey) {
            this.type = type;
            this.bucket = label + " " + MINUTE;
            this.partitionKey = "default#" + type + "s#" + partition + "#0";
            this.sortKey = sortKey;
        }

        /** An event that is counted there, or in a bucket beside it. */
        String event(boolean there) {
            String page = there ? "poisoned" : "good";
            String referrer = type.equals("view") ? "r" : bucket.replace(" " + MINUTE, "").replace("poisoned", page);
            return "{\"type\":\"" + type + "\",\"time\":\"2026-11-20T10:31:32Z\",\"attributes\":{\"referrer\":\""
                    + referrer.replace("\uffff", "\\uffff") + "\",\"bytes\":5,\"url\":\"/" + page + "\"}}";
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({ "WRONG_TYPE, PARTITION_OF_ITS_OWN", "NUMBER_OUT_OF_RANGE, PARTITION_OF_ITS_OWN",
            "ITEM_TOO_LARGE, PARTITION_OF_ITS_OWN", "WRONG_TYPE, PARTITION_OF_OTHERS", "WRONG_TYPE, KEY_THAT_SQS_REJECTS" })
    void countOnceWhenTheyAreReplayedAfterTheRepairHoweverOften(Trouble trouble, Place place) {
        // Given an item that rejects what is added to it
        update(place, "SET " + trouble.attribute + " = :value", Map.of(":value", trouble.value()));
        site.queue.sendAll(List.of(place.event(true), place.event(true), place.event(false)));

        try (InProcessWriter writer = site.writer()) {
            // When
            await().atMost(Patience.LIMIT).until(() -> site.queue.size() == 0 && site.deadLetters.size() > 0);
            assertThat(writer.counter("windrow.writer.journal.parked", "reason", "refused")).isPositive();
            assertThat(writer.counter("windrow.writer.dead.letters", "reason", "refused")).isPositive();
            // Others go on, also those that come later
            site.queue.send(place.event(false));
            site.awaitEmpty();
        }

        // Then everything else is counted
        Map<String, BigDecimal> counted = site.buckets.measure(place.type + "s", "events");
        assertThat(counted).containsKey(place.bucket.replace("poisoned", "good")).doesNotContainKey(place.bucket)
                .allSatisfy((bucket, events) -> assertThat(events).isEqualTo("2"));

        // When the item is repaired, and the letters are replayed twice
        update(place, "REMOVE " + trouble.attribute, Map.of());
        List<Message> letters = site.deadLetters.drain();
        assertThat(letters).allSatisfy(letter -> {
            assertThat(attributes(letter)).containsEntry("reason", "refused");
            if (place == Place.KEY_THAT_SQS_REJECTS) {
                assertThat(attributes(letter)).containsEntry("content-encoding", "gzip");
            } else {
                assertThat(letter.body()).contains(place.partitionKey, place.sortKey);
            }
        });
        replay(letters, 2);

        // Then
        counted.put(place.bucket, new BigDecimal(2));
        assertThat(site.buckets.measure(place.type + "s", "events")).isEqualTo(counted);
        if (place != Place.PARTITION_OF_OTHERS) {
            assertThat(site.buckets.measure("clicks", "bytes")).containsEntry(place.bucket, new BigDecimal(10));
            assertThat(site.buckets.measure("clicks", "largest")).containsEntry(place.bucket, new BigDecimal(5));
        }
    }

    static Stream<String> reasons() {
        return GeneratedCases.isSlow() ? Stream.of("access-denied", "unknown-error") : Stream.of("access-denied");
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("reasons")
    void ofATenantThatIsDeniedHoldUpNobodyElse(String reason) {
        // Given
        Fault fault = reason.equals("access-denied") ? DynamoDbFaults.accessDenied()
                : DynamoDbFaults.clientError("LabelNotLikedException", "not this label");
        site.proxy.use(deniesTenant("acme", fault));
        site.queue.sendAll(clicks("acme"));

        // When
        try (InProcessWriter writer = site.writer(BRIEFLY_DENIED)) {
            await().atMost(Patience.LIMIT).until(() -> writer.counter("windrow.writer.messages.received") >= LABELS);
            site.queue.sendAll(clicks("good"));

            // Then the others are written, and the denied ones end with their reason
            await().atMost(Patience.LIMIT).untilAsserted(() -> assertThat(counted()).isEqualTo(LABELS));
            site.awaitEmpty();
            await().atMost(Patience.LIMIT)
                    .until(() -> writer.counter("windrow.writer.journal.parked", "reason", reason) == LETTERS);
            assertThat(writer.counter("windrow.writer.dead.letters", "reason", reason)).isEqualTo(LETTERS);
            assertThat(writer.tableProblem()).isNull();
        }
        List<Message> letters = site.deadLetters.drain();
        assertThat(letters).hasSize(LETTERS).allSatisfy(letter -> {
            assertThat(attributes(letter)).containsEntry("reason", reason);
            assertThat(attributes(letter).get("detail")).contains("acme#clicks#");
            assertThat(letter.body()).contains("acme#clicks#");
        });

        // When the tenant is allowed, and the letters are replayed
        site.proxy.use(FaultPlan.none());
        replay(letters, 1);

        // Then
        assertThat(site.buckets.measure("clicks", "events")).hasSize(2 * 3 * LABELS).allSatisfy(
                (bucket, events) -> assertThat(events).isEqualTo(BigDecimal.ONE));
        assertThat(site.buckets.measure("clicks", "largest")).hasSize(2 * 3 * LABELS);
    }

    static Stream<Arguments> ofEveryLabel() {
        return Stream.of(arguments("access-denied", DynamoDbFaults.accessDenied()),
                arguments("schema-mismatch", validation("The provided key element does not match the schema")),
                arguments("schema-mismatch",
                        validation("One or more parameter values were invalid: Type mismatch for Index Key ipk"
                                + " Expected: N Actual: S IndexName: scatter")));
    }

    private static Fault validation(String message) {
        return DynamoDbFaults.clientError("ValidationException", message);
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("ofEveryLabel")
    void waitsWhileEveryLabelIsDeniedOrTheTableHasOtherKeys(String reason, Fault fault) {
        // Given a writer that holds a lane
        try (InProcessWriter writer = site.writer(BRIEFLY_DENIED)) {
            await().atMost(Patience.LIMIT).until(() -> writer.counter("windrow.writer.journal.lane") >= 0);

            // When
            site.proxy.use(deniesTenant("", fault));
            site.queue.sendAll(clicks("acme"));
            await().atMost(Patience.LIMIT).until(() -> writer.counter("windrow.writer.messages.received") >= LABELS);
            await().atMost(Patience.LIMIT).untilAsserted(() -> assertThat(writer.tableProblem()).contains(reason));
            assertThat(site.deadLetters.size()).isZero();
            site.proxy.use(FaultPlan.none());

            // Then
            site.awaitEmpty();
            assertThat(writer.tableProblem()).isNull();
        }
        assertThat(counted()).isEqualTo(LABELS);
        assertThat(site.deadLetters.size()).isZero();
    }

    @Tag("slow")
    @Test
    void ofElementsAreCountedOnceTheFormThatMendsThemReadsThem(@TempDir Path folder) throws IOException {
        // Given a message three of whose elements lack their label
        String form = """
                windrow:
                  datasets:
                    uploads: {event-type: upload, label: [bucket], granularities: [hour],
                      measures: {events: {type: count}, bytes: {type: sum, attribute: size}}}
                  events:
                    - type: upload
                      each: Records
                      when: {eventSource: "aws:s3"}
                      time: eventTime
                      attributes: {bucket: s3.bucket.name, size: s3.object.size}
                """;
        Path datasets = Files.writeString(folder.resolve("datasets.yaml"), form);
        site.datasets(datasets).queue.send(IntStream.range(0, 250).mapToObj(i -> """
                {"eventSource":"aws:s3","eventTime":"2026-11-20T10:00:00Z","s3":{"bucket":{%s},"object":{"size":%d}}}"""
                .formatted(i == 7 || i == 8 || i == 249 ? "" : "\"name\":\"b" + i % 12 + "\"", i))
                .collect(Collectors.joining(",", "{\"Records\":[", "]}")));

        // When
        try (InProcessWriter writer = site.writer()) {
            site.awaitEmpty();
        }

        // Then
        Map<String, BigDecimal> counted = site.buckets.measure("uploads", "events");
        assertThat(sum(counted)).isEqualTo(247);
        List<Message> letters = site.deadLetters.drain();
        assertThat(letters).extracting(letter -> attributes(letter).get("source-event")).containsExactlyInAnyOrder("7", "8",
                "249");
        assertThat(letters).allSatisfy(letter -> {
            assertThat(attributes(letter)).containsEntry("reason", "missing-label");
            assertThat(attributes(letter).get("detail")).startsWith("s3.bucket.name: expected a value");
            assertThat(letter.body()).startsWith("{\"Records\":[{\"eventSource\"");
        });

        // When a default mends them, and each letter comes twice
        Files.writeString(datasets, form.replace("bucket: s3.bucket.name", "bucket: {path: s3.bucket.name, default: unnamed}"));
        replay(letters, 2);

        // Then
        counted.put("unnamed hour#2026-11-20T10:00:00Z", new BigDecimal(3));
        assertThat(site.buckets.measure("uploads", "events")).isEqualTo(counted);
        assertThat(sum(site.buckets.measure("uploads", "bytes"))).isEqualTo(249 * 250 / 2);
    }

    @Test
    void areRejectedWhenTheyNameAnotherItemThanABucket() {
        // Given
        String forged = "{\"pk\":\"~lane#0\",\"sk\":\"lane\",\"granularity\":\"minute\","
                + "\"additions\":[{\"measure\":\"events\",\"kind\":\"count\",\"value\":\"1\"}]}";
        site.queue.send(forged, Map.of("parked", "1", "source-message-id", "parked-1", "source-sent", "1795170692000"));

        // When
        try (InProcessWriter writer = site.writer()) {
            await().atMost(Patience.LIMIT).until(() -> site.queue.size() == 0 && site.deadLetters.size() == 1);
            assertThat(writer.counter("windrow.writer.dead.letters", "reason", "invalid-envelope")).isEqualTo(1);
        }

        // Then
        assertThat(attributes(site.deadLetters.drain().get(0)).get("detail")).contains("pk");
    }

    /** Replays each letter so many times, and lets a writer take them all. */
    private void replay(List<Message> letters, int times) {
        for (int copy = 0; copy < times; copy++) {
            letters.forEach(letter -> site.deadLetters.send(letter.body(), attributes(letter)));
        }
        // ElasticMQ counts a letter as visible a millisecond after it can be received.
        await().atMost(Patience.LIMIT).until(() -> site.deadLetters.visible() == site.deadLetters.size());
        int sent = new DeadLetterOperations(aws.sqs(), site.deadLetters.url(), Duration.ofDays(15), Clock.systemUTC())
                .replay(site.queue.url(), 1_000, false).await().indefinitely().sentCount();
        assertThat(sent).isEqualTo(times * letters.size());
        try (InProcessWriter writer = site.writer()) {
            site.awaitEmpty();
        }
        assertThat(site.deadLetters.size()).isZero();
    }

    private void update(Place place, String expression, Map<String, AttributeValue> values) {
        aws.dynamoDb().updateItem(update -> update.tableName(site.table)
                .key(JournalItems.key(place.partitionKey, place.sortKey)).updateExpression(expression)
                .expressionAttributeValues(values.isEmpty() ? null : values)).join();
    }

    private static FaultPlan deniesTenant(String tenant, Fault fault) {
        return request -> request.partitionKey().filter(key -> key.startsWith(tenant)).isPresent() ? fault : new Fault.Pass();
    }

    private int counted() {
        Map<String, BigDecimal> days = site.buckets.measure("clicks", "events");
        days.keySet().removeIf(bucket -> !bucket.contains(" day#"));
        return sum(days);
    }

    private static int sum(Map<String, BigDecimal> values) {
        return values.values().stream().reduce(BigDecimal.ZERO, BigDecimal::add).intValueExact();
    }

    private static List<String> clicks(String tenant) {
        return IntStream.range(0, LABELS).mapToObj(i -> "{\"type\":\"click\",\"tenant\":\"" + tenant
                + "\",\"time\":\"2026-11-20T10:31:32Z\",\"attributes\":{\"referrer\":\"" + tenant + i + "\",\"bytes\":5}}")
                .toList();
    }
}
