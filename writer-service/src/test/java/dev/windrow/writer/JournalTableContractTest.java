package dev.windrow.writer;

import static dev.windrow.writer.DeliveryTest.click;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.windrow.dataset.MeasurePart;
import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.local.TestClients;
import dev.windrow.local.fault.DynamoDbFaults;
import dev.windrow.local.fault.Exchange.Cancellation;
import dev.windrow.local.fault.Fault;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.local.fault.FaultPlan.FaultMix;
import dev.windrow.local.fault.FaultProxy;
import dev.windrow.local.fault.ProxiedRequest;
import dev.windrow.table.TableSchema;
import dev.windrow.testing.Patience;
import dev.windrow.testing.Seeds;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/**
 * The journal's requests on a real table, by the wire, behind a proxy that loses, delays, throttles and cuts: several writers
 * at once, and moments that are hard to meet.
 */
class JournalTableContractTest {

    @AutoClose
    private static LocalAws aws;

    @AutoClose
    private InProcessSite site = new InProcessSite(aws, InProcessSite.spec("").withVisibilityTimeout(Duration.ofSeconds(5)));

    @BeforeAll
    static void startServers() {
        aws = LocalAws.start(LocalAwsOptions.forTests());
    }

    /** A writer with a way of its own to the table. */
    private record Started(FaultProxy proxy, DynamoDbAsyncClient client, InProcessWriter writer) implements AutoCloseable {

        @Override
        public void close() {
            writer.drain(Duration.ofSeconds(3));
            writer.close();
            client.close();
            proxy.close();
        }
    }

    @Tag("slow")
    @Test
    void countsOnceWhateverIsLostLateThrottledOrKilled() {
        // Given, drawn from by many threads
        RandomGenerator random = new Random(Seeds.seed("whatever"));
        Map<String, BigDecimal> expected = DeliveryTest.send(site.queue, 200, random);
        List<Started> writers = new ArrayList<>();
        try (FaultProxy queue = FaultProxy.start(aws.sqsEndpoint(), DeliveryTest.repeatingItself(random));
                SqsAsyncClient sqs = TestClients.sqs(queue.endpoint())) {
            for (int i = 0; i < 3; i++) {
                writers.add(start(sqs, random));
            }

            // When
            for (int left = 160; left > 20; left -= 45) {
                int most = left;
                await().atMost(Patience.LIMIT).until(() -> site.queue.size() < most);
                Started victim = writers.remove(random.nextInt(writers.size()));
                if (random.nextBoolean()) {
                    // As if it was killed
                    victim.proxy.use(FaultPlan.always(new Fault.CutBefore()));
                }
                victim.close();
                writers.add(start(sqs, random));
            }
            writers.forEach(writer -> writer.proxy.use(FaultPlan.none()));
            site.awaitEmpty();
            await().atMost(Patience.LIMIT).until(() -> site.buckets.lanes().stream()
                    .allMatch(lane -> lane.get("applied").equals(lane.get("position"))));

            // Then
            assertThat(DeliveryTest.counted(site.buckets)).isEqualTo(expected);
            assertThat(site.deadLetters.size()).isZero();
        } finally {
            writers.forEach(Started::close);
        }
    }

    private Started start(SqsAsyncClient sqs, RandomGenerator random) {
        FaultProxy proxy = FaultProxy.start(aws.dynamoDbEndpoint(), storm(random));
        DynamoDbAsyncClient client = TestClients.dynamoDb(proxy.endpoint());
        return new Started(proxy, client, site.writer(InProcessWriter.FLOW, sqs, client));
    }

    private static FaultPlan storm(RandomGenerator random) {
        return new FaultMix(random).share(0.04, new Fault.CutBefore()).share(0.04, new Fault.CutAfter())
                .share(0.03, new Fault.DelayBefore(Duration.ofMillis(1_200), new Fault.Pass()))
                .share(0.01, new Fault.DelayBefore(Duration.ofSeconds(6), new Fault.Pass()))
                .share(0.03, new Fault.DelayAfter(Duration.ofMillis(900)))
                .share(0.05, DynamoDbFaults.throughputExceeded())
                .share(0.03, DynamoDbFaults.internalServerError())
                .share(0.05, DynamoDbFaults.transactionCanceled(Cancellation.CONFLICT, random));
    }

    /** Cuts and slots with content that no writer writes: messages of their minute wait, and all others count. */
    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = { "cut slots text", "cut slots 0", "cut slots 70000", "slot ids text", "slot ids 3" })
    void whatRemembersClaimsAndIsOddHoldsUpItsMinuteAlone(String odd) {
        // Given
        String[] parts = odd.split(" ", -1);
        long minute = System.currentTimeMillis() / 60_000 - 60;
        Map<String, AttributeValue> cut = new HashMap<>(Map.of(TableSchema.PK, text("~cut#m#" + minute),
                TableSchema.SK, text("slots"), "slots", number(1), TableSchema.TTL, number(99_999_999_999L)));
        Map<String, AttributeValue> slot = new HashMap<>(Map.of(TableSchema.PK, text("~slot#m#" + minute + "#0"),
                TableSchema.SK, text("/"), TableSchema.TTL, number(1)));
        (parts[0].equals("cut") ? cut : slot).put(parts[1], switch (parts[2]) {
            case "text" -> text("odd");
            default -> AttributeValue.fromN(parts[2]);
        });
        put(cut);
        put(slot);
        Map<String, BigDecimal> expected = DeliveryTest.send(site.queue, 20, Seeds.random("odd"));
        site.queue.send(click("odd", "1"), Map.of("source-message-id", "odd", "source-sent", Long.toString(minute * 60_000)));

        // When
        try (InProcessWriter writer = site.writer()) {

            // Then
            await().atMost(Patience.LIMIT).until(() -> site.queue.size() == 1);
            await().atMost(Patience.LIMIT)
                    .untilAsserted(() -> assertThat(DeliveryTest.counted(site.buckets)).isEqualTo(expected));
            assertThat(writer.tableProblem()).isNull();
            writer.drain(Duration.ofSeconds(1));
        }
    }

    @Tag("slow")
    @Test
    void idsThatAreTooManyToNameAreClaimedOnce(@TempDir Path directory) throws IOException {
        // Given
        site.datasets(Files.writeString(directory.resolve("datasets.yaml"), """
                windrow:
                  datasets:
                    picks: {event-type: pick, label: [], granularities: [minute], dedupe: event-id,
                      measures: {events: {type: count}}}
                """));

        // When events of one instant are sent again, also to a writer that has not seen them
        try (InProcessWriter writer = site.writer()) {
            site.queue.send(picks(0, 100));
            site.awaitEmpty();
            site.queue.send(picks(50, 260));
            site.awaitEmpty();
        }
        try (InProcessWriter writer = site.writer()) {
            site.queue.send(picks(0, 600));
            site.awaitEmpty();
        }

        // Then the second claim has filled the slot
        assertThat(site.buckets.measure("picks", "events")).hasSize(1).containsValue(BigDecimal.valueOf(600));
        assertThat(site.buckets.slots().stream().map(slot -> slot.get(TableSchema.CLAIMED_IDS).bs().size()))
                .containsExactlyInAnyOrder(260, 340);
    }

    private static String picks(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> "{\"type\":\"pick\",\"id\":\"" + i + "\",\"time\":\"2026-11-20T10:00:00.5Z\"}")
                .collect(Collectors.joining(",", "[", "]"));
    }

    /** The slots have the claim already, and the lane's item does not yet, or is taken for one that does not. */
    @ParameterizedTest
    @NullSource
    @EnumSource(names = { "CONFLICT", "THROTTLED" })
    void aClaimWhoseRepetitionMeetsItHalfCommittedIsApplied(@Nullable Cancellation lane) {
        // Given one message, after which nothing else would show what was missed
        site.queue.send(click("r", "5"));
        site.proxy.use(new HalfCommitted(update -> partitionKey(update).startsWith("~slot"), lane));

        // When
        try (InProcessWriter writer = site.writer()) {
            await().atMost(Patience.LIMIT).until(() -> DeliveryTest.counted(site.buckets).size() == 9);
            site.awaitEmpty();
        }

        // Then
        assertThat(site.buckets.measure("clicks", "events")).hasSize(3).allSatisfy(
                (bucket, events) -> assertThat(events).isEqualTo("1"));
    }

    @Test
    void aParkingWhoseRepetitionMeetsItHalfCommittedIsALetter() {
        // Given an item whose measure is a text
        put(Map.of(TableSchema.PK, text("default#clicks#r#0"), TableSchema.SK, text("hour#2026-11-20T10:00:00Z"),
                MeasurePart.VALUE.attribute("events"), text("seven")));
        site.queue.send(click("r", "5"));
        site.proxy.use(new HalfCommitted(update -> !partitionKey(update).startsWith("~"), Cancellation.CONFLICT));

        // When
        try (InProcessWriter writer = site.writer()) {
            await().atMost(Patience.LIMIT).until(() -> site.queue.size() == 0 && site.deadLetters.size() > 0);
        }

        // Then
        assertThat(site.deadLetters.drain()).singleElement().satisfies(
                letter -> assertThat(letter.body()).contains("default#clicks#r#0", "hour#2026-11-20T10:00:00Z"));
    }

    /** As in a replica or a restored table, whose items are not all of the same moment. */
    @Test
    void aNewHolderIsAheadOfBucketsThatAreAheadOfItsLane() {
        // Given a lane whose holder claimed and applied two more records than the lane's item says
        put(Map.of(TableSchema.PK, text(TableSchema.lanePartitionKey(0)), TableSchema.SK, text(TableSchema.LANE_SK),
                TableSchema.LANE_EPOCH, number(3), TableSchema.LANE_BEAT, number(7), TableSchema.LANE_POSITION, number(998),
                TableSchema.LANE_APPLIED, number(998)));
        for (String sortKey : List.of("minute#2026-11-20T10:31:00Z", "hour#2026-11-20T10:00:00Z", "day#2026-11-20T00:00:00Z")) {
            put(Map.of(TableSchema.PK, text("default#clicks#r#0"), TableSchema.SK, text(sortKey),
                    MeasurePart.VALUE.attribute("events"), number(7), TableSchema.lanePosition(0), number(1_000)));
        }
        site.queue.send(click("r", "5"));

        // When
        try (InProcessWriter writer = site.writer()) {
            site.awaitEmpty();
        }

        // Then
        assertThat(site.buckets.measure("clicks", "events")).hasSize(3).allSatisfy(
                (bucket, events) -> assertThat(events).isEqualTo("8"));
    }

    private void put(Map<String, AttributeValue> item) {
        aws.dynamoDb().putItem(request -> request.tableName(site.table).item(item)).join();
    }

    private static AttributeValue text(String text) {
        return AttributeValue.fromS(text);
    }

    private static AttributeValue number(long number) {
        return AttributeValue.fromN(Long.toString(number));
    }

    private static String partitionKey(JsonNode update) {
        return update.path("Key").path(TableSchema.PK).path("S").asText();
    }

    /**
     * The answer to a transaction is lost, and its first repetition meets it half committed: the item with the record of what
     * was done, its last one, is written, and the first one is not yet. Everything else passes.
     */
    private static final class HalfCommitted implements FaultPlan {

        private static final ObjectMapper JSON = new ObjectMapper();
        private static final Pattern ASSIGNMENT = Pattern.compile("(#\\w+)(?: = | )(:\\w+)");

        private final Predicate<JsonNode> last;
        private final @Nullable Cancellation lane;
        private int met;

        /**
         * @param last recognizes the transaction to fault by its last update
         * @param lane the reason of the first item; null for none
         */
        HalfCommitted(Predicate<JsonNode> last, @Nullable Cancellation lane) {
            this.last = last;
            this.lane = lane;
        }

        @Override
        public Fault decide(ProxiedRequest request) {
            JsonNode items = request.body().path("TransactItems");
            JsonNode update = items.path(items.size() - 1).path("Update");
            if (!request.operation().equals("TransactWriteItems") || met == 2 || !last.test(update)) {
                return new Fault.Pass();
            }
            met++;
            if (met == 1) {
                return new Fault.CutAfter();
            }
            Map<Integer, Cancellation> cancellations = new HashMap<>(Map.of(items.size() - 1, Cancellation.CONDITION_FAILED));
            if (lane != null) {
                cancellations.put(0, lane);
            }
            return DynamoDbFaults.transactionCanceled(request, cancellations, Map.of(items.size() - 1, itemAfter(update)));
        }

        /** What an item has after an update, as far as that says it. */
        private static ObjectNode itemAfter(JsonNode update) {
            ObjectNode item = JSON.createObjectNode();
            Matcher assignment = ASSIGNMENT.matcher(update.path("UpdateExpression").asText());
            while (assignment.find()) {
                item.set(update.path("ExpressionAttributeNames").path(assignment.group(1)).asText(),
                        update.path("ExpressionAttributeValues").path(assignment.group(2)));
            }
            return item;
        }
    }
}
