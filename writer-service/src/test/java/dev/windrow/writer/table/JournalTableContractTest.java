package dev.windrow.writer.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import com.fasterxml.jackson.databind.JsonNode;

import dev.windrow.dataset.MeasureKind;
import dev.windrow.dataset.MeasureKind.Part;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.local.fault.DynamoDbFaults;
import dev.windrow.local.fault.Exchange.Cancellation;
import dev.windrow.local.fault.Fault;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.local.fault.FaultPlan.FaultMix;
import dev.windrow.local.fault.FaultProxy;
import dev.windrow.table.TableSchema;
import dev.windrow.testing.Patience;
import dev.windrow.testing.Seeds;
import dev.windrow.writer.journal.ClaimUnit;
import dev.windrow.writer.journal.ClaimUnit.ClaimId;
import dev.windrow.writer.journal.JournalRecord.Addition;
import dev.windrow.writer.journal.JournalRecord.BucketItem;
import dev.windrow.writer.journal.JournalRecord.Change;
import dev.windrow.writer.journal.JournalRecord.IndexKey;
import dev.windrow.writer.testing.Items;
import io.vertx.core.Vertx;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The journal's requests on a real table, by the wire: several writers at once, behind a proxy that loses, delays, throttles
 * and cuts. What should come of it is summed up here, without the journal.
 */
class JournalTableContractTest {

    private static final Duration PATIENCE = Patience.LIMIT.multipliedBy(2);
    /** Long enough for a busy machine: where nearly every request times out, nothing moves. */
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final int LABELS = 4;
    private static final List<String> GRANULARITIES = List.of("minute", "hour", "day");
    /** A queue that draws from it delivers each message once, and loses no delete. */
    private static final RandomGenerator ONCE = new Random() {

        private static final long serialVersionUID = 1L;

        @Override
        public int nextInt(int bound) {
            return bound - 1;
        }
    };
    private static int runs;

    private static LocalAws aws;
    private static Vertx vertx;

    private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);
    private final List<JournalProcess> processes = new ArrayList<>();
    private FaultProxy proxy;
    private String name;
    private int started;
    /** Names of writers that cannot release their lane, and none. */
    private final Set<String> killed = new HashSet<>(Set.of(""));

    @BeforeAll
    static void startServers() {
        aws = LocalAws.start(LocalAwsOptions.forTests().withoutProvisioning());
        vertx = Vertx.vertx();
    }

    @AfterAll
    static void stopServers() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
        aws.close();
    }

    @BeforeEach
    void createTable() {
        name = "journal-" + runs++;
        aws.createTable(name);
        proxy = FaultProxy.start(aws.dynamoDbEndpoint(), FaultPlan.none());
    }

    @AfterEach
    void close() {
        processes.forEach(JournalProcess::kill);
        timer.shutdownNow();
        proxy.close();
    }

    @Tag("slow")
    @Test
    void countsOnceWhateverIsLostLateThrottledOrKilled() {
        // Given
        RandomGenerator random = random("whatever");
        DeliveredAgain queue = new DeliveredAgain(random, timer);
        Map<String, Map<String, MeasureValue>> expected = send(queue, 200, random);
        proxy.use(storm(random));

        // When
        for (int i = 0; i < 3; i++) {
            start(queue);
        }
        for (int left = 160; left > 20; left -= 45) {
            int most = left;
            await().atMost(PATIENCE).until(() -> queue.size() < most);
            disturb(random.nextInt(3), queue, random);
        }
        await().atMost(PATIENCE).until(() -> queue.size() < 10);
        proxy.use(FaultPlan.none());
        await().atMost(PATIENCE).until(() -> queue.size() == 0);
        drain();

        // Then
        assertThat(queue.letters()).isEmpty();
        assertThat(stored(expected.keySet())).isEqualTo(expected);
        assertThat(lanes()).isNotEmpty().allSatisfy(lane -> {
            assertThat(lane.get("applied")).isEqualTo(lane.get("position"));
            assertThat(lane.getOrDefault("holder", "")).as("a holder that was not killed").isIn(killed);
        });
    }

    /** Cuts and slots with content that no writer writes: messages of their minute wait, and all others count. */
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
        RandomGenerator random = random("odd");
        DeliveredAgain queue = new DeliveredAgain(ONCE, timer);
        Map<String, Map<String, MeasureValue>> expected = send(queue, 40, random);
        queue.send(List.of(new ClaimUnit(new ClaimId(ClaimId.Kind.MESSAGE, minute * 60_000, 7), additions(random))));

        // When
        start(queue);

        // Then
        await().atMost(PATIENCE).until(() -> queue.size() == 1);
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(stored(expected.keySet())).isEqualTo(expected));
        assertThat(processes.get(0).isBroken()).isFalse();
    }

    /** The slots have the claim already, and the lane's item does not yet, or is taken for one that does not. */
    @ParameterizedTest
    @NullSource
    @EnumSource(names = { "CONFLICT", "THROTTLED" })
    void aClaimWhoseRepetitionMeetsItHalfCommittedIsApplied(@Nullable Cancellation lane) {
        // Given one message, after which nothing else would show what was missed
        DeliveredAgain queue = new DeliveredAgain(ONCE, timer);
        Map<String, Map<String, MeasureValue>> expected = send(queue, 1, random("half a claim"));
        HalfCommitted half = new HalfCommitted(update -> partitionKey(update).startsWith("~slot"), lane);
        proxy.use(half);

        // When
        start(queue);

        // Then
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(stored(expected.keySet())).isEqualTo(expected));
        await().atMost(PATIENCE).until(() -> queue.size() == 0);
        drain();
        assertThat(stored(expected.keySet())).isEqualTo(expected);
    }

    @Test
    void aParkingWhoseRepetitionMeetsItHalfCommittedIsALetter() {
        // Given an item whose measure is a text
        RandomGenerator random = random("half a parking");
        DeliveredAgain queue = new DeliveredAgain(ONCE, timer);
        Map<String, Map<String, MeasureValue>> expected = send(queue, 1, random);
        String broken = expected.keySet().stream().filter(key -> key.contains("hour")).findFirst().orElseThrow();
        breakItem(broken);
        proxy.use(new HalfCommitted(update -> !partitionKey(update).startsWith("~"), Cancellation.CONFLICT));

        // When
        start(queue);
        await().atMost(PATIENCE).until(() -> queue.size() == 0);
        drain();

        // Then
        assertThat(queue.letters()).singleElement().satisfies(letter -> assertThat(key(letter.item())).isEqualTo(broken));
    }

    /** As in a replica or a restored table, whose items are not all of the same moment. */
    @Test
    void aNewHolderIsAheadOfBucketsThatAreAheadOfItsLane() {
        // Given a lane whose holder claimed and applied two more records than the lane's item says
        DeliveredAgain queue = new DeliveredAgain(ONCE, timer);
        Map<String, Map<String, MeasureValue>> expected = send(queue, 1, random("ahead"));
        put(Map.of(TableSchema.PK, text(TableSchema.lanePartitionKey(0)), TableSchema.SK, text(TableSchema.LANE_SK),
                TableSchema.LANE_EPOCH, number(3), TableSchema.LANE_BEAT, number(7), TableSchema.LANE_POSITION, number(998),
                TableSchema.LANE_APPLIED, number(998)));
        for (String key : expected.keySet()) {
            put(Map.of(TableSchema.PK, text(key.split(" ", -1)[0]), TableSchema.SK, text(key.split(" ", -1)[1]),
                    Part.VALUE.attribute("events"), number(7), TableSchema.lanePosition(0), number(1_000)));
            expected.get(key).merge("events", MeasureValue.of(BigDecimal.valueOf(7)),
                    (some, more) -> plain(MeasureKind.COUNT.combine(some, more)));
        }

        // When
        start(queue);
        await().atMost(PATIENCE).until(() -> queue.size() == 0);
        drain();

        // Then
        assertThat(stored(expected.keySet())).isEqualTo(expected);
    }

    private void put(Map<String, AttributeValue> item) {
        aws.dynamoDb().putItem(request -> request.tableName(name).item(item)).join();
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

    private void breakItem(String key) {
        put(Map.of(TableSchema.PK, text(key.split(" ", -1)[0]), TableSchema.SK, text(key.split(" ", -1)[1]),
                Part.VALUE.attribute("events"), text("many")));
    }

    /** Many threads draw from it. */
    private static RandomGenerator random(String test) {
        return new Random(Seeds.random(test).nextLong());
    }

    private void disturb(int what, DeliveredAgain queue, RandomGenerator random) {
        int number = processes.size() - 1 - random.nextInt(2);
        JournalProcess victim = processes.get(number);
        if (what == 0) {
            kill(number);
            start(queue);
        } else if (what == 1) {
            victim.drain();
            start(queue);
        } else {
            victim.sleep();
            start(queue);
            var unused = timer.schedule(victim::wake, 3, TimeUnit.SECONDS);
        }
    }

    private static FaultPlan storm(RandomGenerator random) {
        return new FaultMix(random).share(0.04, new Fault.CutBefore()).share(0.04, new Fault.CutAfter())
                .share(0.03, new Fault.DelayBefore(Duration.ofMillis(1_200), new Fault.Pass()))
                .share(0.01, new Fault.DelayBefore(Duration.ofSeconds(4), new Fault.Pass()))
                .share(0.03, new Fault.DelayAfter(Duration.ofMillis(900)))
                .share(0.05, DynamoDbFaults.throughputExceeded())
                .share(0.03, DynamoDbFaults.internalServerError())
                .share(0.05, DynamoDbFaults.transactionCanceled(Cancellation.CONFLICT, random));
    }

    private void start(DeliveredAgain queue) {
        processes.add(new JournalProcess("writer-" + started++,
                TestTable.table(vertx, proxy.endpoint(), name, TIMEOUT), queue, timer));
    }

    private void kill(int number) {
        processes.get(number).kill();
        killed.add("writer-" + number);
    }

    private void drain() {
        processes.forEach(JournalProcess::wake);
        // One stays until the lanes of those that were killed are recovered.
        await().atMost(PATIENCE).until(() -> lanes().stream()
                .allMatch(lane -> lane.get("applied").equals(lane.get("position"))));
        processes.forEach(JournalProcess::drain);
        await().atMost(PATIENCE).until(() -> IntStream.range(0, processes.size())
                .allMatch(number -> killed.contains("writer-" + number) || processes.get(number).isDrained()));
    }

    private List<Map<String, String>> lanes() {
        List<Map<String, String>> lanes = new ArrayList<>();
        for (Map<String, AttributeValue> item : new Items(aws.dynamoDb(), name).all()) {
            if (item.get(TableSchema.SK).s().equals(TableSchema.LANE_SK)) {
                Map<String, String> lane = new HashMap<>();
                item.forEach((attribute, value) -> lane.put(attribute, value.n() == null ? value.s() : value.n()));
                lanes.add(lane);
            }
        }
        return lanes;
    }

    // what is sent, and what should come of it

    private static Map<String, Map<String, MeasureValue>> send(DeliveredAgain queue, int messages, RandomGenerator random) {
        Map<String, Map<String, MeasureValue>> expected = new TreeMap<>();
        for (int i = 0; i < messages; i++) {
            long millis = System.currentTimeMillis() - random.nextInt(20_000);
            List<ClaimUnit> units = new ArrayList<>();
            for (int unit = 0; unit <= random.nextInt(2); unit++) {
                units.add(new ClaimUnit(new ClaimId(ClaimId.Kind.MESSAGE, millis, random.nextLong()), additions(random)));
            }
            queue.send(units);
            for (ClaimUnit unit : units) {
                for (Addition addition : unit.additions()) {
                    Map<String, MeasureValue> sums = expected.computeIfAbsent(key(addition.item()), key -> new TreeMap<>());
                    for (Change change : addition.changes()) {
                        sums.merge(change.measure(), plain(change.value()),
                                (some, more) -> plain(change.kind().combine(some, more)));
                    }
                }
            }
        }
        return expected;
    }

    private static List<Addition> additions(RandomGenerator random) {
        Map<BucketItem, Addition> additions = new LinkedHashMap<>();
        for (int event = 0; event <= random.nextInt(3); event++) {
            String label = "acme#clicks#r" + random.nextInt(LABELS) + "#0";
            BigDecimal bytes = BigDecimal.valueOf(random.nextLong(1_000), random.nextInt(3));
            Instant time = Instant.ofEpochSecond(random.nextInt(3) * 60L, random.nextInt(1_000));
            for (String granularity : GRANULARITIES) {
                String start = granularity + "#" + (granularity.equals("minute") ? time.getEpochSecond() / 60 : 0);
                BucketItem item = new BucketItem(label, start, granularity.equals("day") ? null
                        : new IndexKey("acme#clicks#" + granularity + "#7", start + "#" + label));
                List<Change> changes = List.of(new Change("events", MeasureKind.COUNT, MeasureValue.ONE),
                        new Change("bytes", MeasureKind.SUM, MeasureValue.of(bytes)),
                        new Change("largest", MeasureKind.MAX, MeasureValue.of(bytes)),
                        new Change("first", MeasureKind.FIRST, MeasureValue.at(bytes, time)));
                additions.merge(item, new Addition(item, granularity, changes),
                        (some, more) -> new Addition(item, granularity, Change.merged(some.changes(), more.changes())));
            }
        }
        return List.copyOf(additions.values());
    }

    private static String key(BucketItem item) {
        return item.partitionKey() + " " + item.sortKey();
    }

    private Map<String, Map<String, MeasureValue>> stored(Iterable<String> keys) {
        Map<String, Map<String, MeasureValue>> stored = new TreeMap<>();
        Map<String, Map<String, AttributeValue>> items = new HashMap<>();
        new Items(aws.dynamoDb(), name).all()
                .forEach(item -> items.put(item.get(TableSchema.PK).s() + " " + item.get(TableSchema.SK).s(), item));
        for (String key : keys) {
            Map<String, MeasureValue> measures = new TreeMap<>();
            items.getOrDefault(key, Map.of()).forEach((attribute, value) -> {
                if (attribute.startsWith("m_")) {
                    AttributeValue time = items.get(key).get("t_" + attribute.substring(2));
                    BigDecimal number = new BigDecimal(value.n());
                    measures.put(attribute.substring(2), plain(time == null ? MeasureValue.of(number)
                            : MeasureValue.at(number, instant(new BigDecimal(time.n())))));
                }
            });
            stored.put(key, measures);
        }
        return stored;
    }

    private static Instant instant(BigDecimal seconds) {
        return Instant.ofEpochSecond(0, seconds.movePointRight(9).longValueExact());
    }

    /** So that equal numbers are equal. */
    private static MeasureValue plain(MeasureValue value) {
        BigDecimal number = value.value().signum() == 0 ? BigDecimal.ZERO : value.value().stripTrailingZeros();
        return value.time() == null ? MeasureValue.of(number) : MeasureValue.at(number, value.time());
    }
}
