package dev.windrow.writer.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.dataset.MeasureKind;
import dev.windrow.testing.Seeds;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.record.Addition;
import dev.windrow.writer.record.Change;
import dev.windrow.writer.record.ClaimId;
import dev.windrow.writer.record.ClaimUnit;
import dev.windrow.writer.testing.TestUnits;

class ClaimUnitBuilderTest {

    private static final Instant SENT = Instant.parse("2026-11-20T10:31:40Z");
    private static final String CLICKS = """
            windrow:
              datasets:
                clicks:
                  event-type: click
                  label: [referrer]
                  granularities: [minute, hour, day]
                  key-shards: 3
                  index: [minute, hour]
                  measures:
                    events: {type: count}
                    bytes: {type: sum, attribute: bytes}
                    largest: {type: max, attribute: bytes}
                    latest: {type: last, attribute: bytes}
            """;
    private static final String OTHER_CLICKS = """
            windrow:
              datasets:
                sizes:
                  event-type: click
                  label: [bytes, referrer]
                  granularities: [second, month]
                  key-shards: 7
                  measures:
                    events: {type: count}
            """;
    private static final String ORDERS = """
            windrow:
              datasets:
                orders:
                  event-type: order
                  label: [shop]
                  granularities: [day]
                  dedupe: event-id
                  measures:
                    orders: {type: count}
                totals:
                  event-type: order
                  label: [country]
                  granularities: [day]
                  measures:
                    orders: {type: count}
            """;

    /** An import would otherwise create items that expired long ago, which DynamoDB never deletes after five years. */
    @Test
    void leavesOutBucketsThatWereOverWhenTheMessageWasSent() {
        // Given
        TestUnits clicks = new TestUnits(CLICKS.replace("key-shards: 3", "retention: {minute: 2d, hour: 30d}"));
        String event = "{\"type\":\"click\",\"time\":\"%s\",\"attributes\":{\"referrer\":\"r\",\"bytes\":1}}";
        Map<String, List<String>> expected = new TreeMap<>();
        expected.put("2019-03-01T00:00:00Z", List.of("day#2019-03-01T00:00:00Z"));
        // Thirty days and two days after the end of its hour and minute, and a second before that.
        expected.put("2026-10-21T09:59:59Z", List.of("day#2026-10-21T00:00:00Z"));
        expected.put("2026-10-21T10:00:00Z", List.of("hour#2026-10-21T10:00:00Z", "day#2026-10-21T00:00:00Z"));
        expected.put("2026-11-18T10:30:59Z", List.of("hour#2026-11-18T10:00:00Z", "day#2026-11-18T00:00:00Z"));
        expected.put("2026-11-18T10:31:00Z", List.of("minute#2026-11-18T10:31:00Z", "hour#2026-11-18T10:00:00Z",
                "day#2026-11-18T00:00:00Z"));

        // When
        expected.forEach((time, buckets) -> assertThat(clicks.of(message(time, event.formatted(time)))).singleElement()
                .satisfies(unit -> assertThat(unit.additions()).as(time).extracting(addition -> addition.item().sortKey())
                        // Then
                        .containsExactlyElementsOf(buckets)));
    }

    @Test
    void addsUpEachBucketOfEachGranularity() {
        // Given
        RandomGenerator random = Seeds.random("addsUp");
        TestUnits clicks = new TestUnits(CLICKS);
        Map<String, BigDecimal> expected = new TreeMap<>();
        Map<String, BigDecimal> added = new TreeMap<>();

        for (int i = 0; i < 50; i++) {
            // When
            List<String> events = new ArrayList<>();
            for (int j = 0; j <= random.nextInt(250); j++) {
                Instant time = SENT.minusSeconds(random.nextInt(200));
                int bytes = random.nextInt(1_000);
                events.add("{\"type\":\"click\",\"time\":\"" + time + "\",\"attributes\":{\"referrer\":\"r\",\"bytes\":"
                        + bytes + "}}");
                for (String bucket : List.of("minute#" + time.truncatedTo(ChronoUnit.MINUTES),
                        "hour#" + time.truncatedTo(ChronoUnit.HOURS), "day#" + time.truncatedTo(ChronoUnit.DAYS))) {
                    expected.merge(bucket + " events", BigDecimal.ONE, BigDecimal::add);
                    expected.merge(bucket + " bytes", BigDecimal.valueOf(bytes), BigDecimal::add);
                    expected.merge(bucket + " largest", BigDecimal.valueOf(bytes), BigDecimal::max);
                }
            }
            for (ClaimUnit unit : clicks.of(message("m" + i, events.toString()))) {
                for (Addition addition : unit.additions()) {
                    assertThat(addition.item().index() != null).isEqualTo(!addition.granularity().equals("day"));
                    for (Change change : addition.changes()) {
                        if (change.kind() != MeasureKind.LAST) {
                            added.merge(addition.item().sortKey() + " " + change.measure(), change.value().value(),
                                    change.kind() == MeasureKind.MAX ? BigDecimal::max : BigDecimal::add);
                        }
                    }
                }
            }
        }

        // Then
        assertThat(added).isNotEmpty().isEqualTo(expected);
    }

    @Test
    void aBucketThatIsOpenWhenAnEpochStartsTakesNewItemsAtTheNewWidth() {
        // Given a bucket that never ends, and a wider epoch in the middle of it
        TestUnits votes = new TestUnits("""
                windrow:
                  datasets:
                    votes:
                      event-type: vote
                      label: [candidate]
                      granularities: [forever]
                      index: [forever]
                      measures: {votes: {type: count}}
                      scatter: [{width: 1}, {from: 2026-11-20T00:00:00Z, width: 1000}]
                """);

        // When
        List<String> before = shards(votes, "2026-11-19T23:59:59Z");
        List<String> after = shards(votes, "2026-11-20T00:00:00Z");

        // Then
        assertThat(before).hasSize(20).containsOnly("default#votes#forever#0");
        assertThat(Set.copyOf(after)).as("the shards of %s", after).hasSizeGreaterThan(10);
    }

    private static List<String> shards(TestUnits votes, String time) {
        return IntStream.range(0, 20)
                .mapToObj(i -> message("m" + i, """
                        {"type": "vote", "time": "%s", "attributes": {"candidate": "c%d"}}""".formatted(time, i)))
                .flatMap(message -> votes.of(message).stream())
                .flatMap(unit -> unit.additions().stream())
                .map(addition -> Objects.requireNonNull(addition.item().index()).partitionKey()).toList();
    }

    @Test
    void claimsAHundredEventsTogetherWhateverTheDeclarationSays() {
        // Given
        Message message = message("m", clicks(250, Seeds.random("aHundred")));

        // When
        List<ClaimUnit> units = new TestUnits(CLICKS).of(message);
        List<ClaimUnit> again = new TestUnits(OTHER_CLICKS).of(message);

        // Then
        assertThat(units).hasSize(3);
        assertThat(ids(again)).isEqualTo(ids(units)).doesNotHaveDuplicates()
                .allMatch(id -> id.kind() == ClaimId.Kind.MESSAGE && id.millis() == SENT.toEpochMilli());
        assertThat(events(units.get(2), "minute")).isEqualTo(50);
    }

    @Test
    void claimsByTheEventsOwnIdsWhatGoesByThem() {
        // Given two events of one id, one of another tenant, and what retracts the first
        TestUnits orders = new TestUnits(ORDERS);
        String first = order("acme", "o1", 1);

        // When
        List<ClaimUnit> units = orders.of(message("m1",
                "[" + String.join(",", first, order("other", "o1", 1), order("acme", "o1", -1), first) + "]"));
        List<ClaimUnit> other = orders.of(message("m2", first + "\n" + order("acme", "o1", -1)));

        // Then
        Map<ClaimId.Kind, List<ClaimUnit>> byKind = new HashMap<>();
        units.forEach(unit -> byKind.computeIfAbsent(unit.id().kind(), kind -> new ArrayList<>()).add(unit));
        assertThat(byKind.get(ClaimId.Kind.EVENT)).hasSize(3).allMatch(unit -> Math.abs(events(unit, "day")) == 1);
        assertThat(byKind.get(ClaimId.Kind.MESSAGE)).hasSize(1).allMatch(unit -> events(unit, "day") == 2);
        assertThat(ids(other)).contains(byKind.get(ClaimId.Kind.EVENT).get(0).id(), byKind.get(ClaimId.Kind.EVENT).get(2).id())
                .doesNotContain(byKind.get(ClaimId.Kind.MESSAGE).get(0).id());
    }

    @Test
    void countsOneEventIdAtTwoInstantsAsTwoEvents() {
        // Given one id at four instants of one UTC minute, two of them a nanosecond apart, and each of them retracted
        TestUnits orders = new TestUnits(ORDERS);
        List<String> times = List.of("2026-11-20T10:31:02Z", "2026-11-20T10:31:47Z", "2026-11-20T10:31:47.000000001Z",
                "2026-11-20T10:31:47.001Z");
        List<String> events = times.stream().flatMap(time -> Stream.of(orderAt(time, 1), orderAt(time, -1))).toList();

        // When all come twice in one message
        List<ClaimUnit> units = orders.of(message("m1", Stream.concat(events.stream(), events.stream()).toList().toString()));

        // Then
        assertThat(eventIds(units)).hasSize(8);
        assertThat(eventIds(units).stream().map(ClaimId::hash)).doesNotHaveDuplicates();
    }

    /** The first is read at a glance, the others by the general reader of times. */
    @ParameterizedTest
    @ValueSource(strings = { "\"2026-11-20T10:31:32.500Z\"", "\"2026-11-20T11:31:32.5+01:00\"",
            "\"2026-11-21T10:30:32.5+23:59\"", "\"2026-11-20T10:31:32.5000000009Z\"", "1795170692.5",
            "1.7951706925e9" })
    void theIdOfAnEventIsTheSameHoweverItsInstantIsSpelled(String time) {
        TestUnits orders = new TestUnits(ORDERS);
        String event = orderAt("2026-11-20T10:31:32.5Z", 1);

        List<ClaimId> ids = eventIds(orders.of(message("m1", event)));
        List<ClaimId> again = eventIds(orders.of(message("m2", event.replace("\"2026-11-20T10:31:32.5Z\"", time))));

        assertThat(again).isEqualTo(ids).hasSize(1);
    }

    /** As of producers that give no finer times: ids of one place in time would all be in one slot. */
    @Test
    void eventsOfAWholeSecondAreSpreadOverIt() {
        TestUnits orders = new TestUnits(ORDERS);
        List<String> second = IntStream.range(0, 1_000).mapToObj(i -> order("acme", "o" + i, 1)).toList();

        List<ClaimId> whole = eventIds(orders.of(message("m1", second.toString())));
        List<ClaimId> again = eventIds(orders.of(message("m2", second.toString())));
        List<ClaimId> fine = eventIds(orders.of(message("m3", second.toString().replace("10:31:32Z", "10:31:32.000001Z"))));

        long start = Instant.parse("2026-11-20T10:31:32Z").toEpochMilli();
        Map<Long, Long> byTenth = whole.stream()
                .collect(Collectors.groupingBy(id -> (id.millis() - start) / 100, Collectors.counting()));
        assertThat(byTenth).containsOnlyKeys(LongStream.range(0, 10).boxed().toList());
        assertThat(byTenth.values()).allMatch(ids -> ids > 50);
        assertThat(again).isEqualTo(whole);
        assertThat(fine).allMatch(id -> id.millis() == start);
    }

    private static List<ClaimId> eventIds(List<ClaimUnit> units) {
        return ids(units).stream().filter(id -> id.kind() == ClaimId.Kind.EVENT).toList();
    }

    private static long events(ClaimUnit unit, String granularity) {
        return unit.additions().stream().filter(addition -> addition.granularity().equals(granularity))
                .mapToLong(addition -> addition.changes().get(0).value().value().longValueExact()).sum();
    }

    private static List<ClaimId> ids(List<ClaimUnit> units) {
        return units.stream().map(ClaimUnit::id).toList();
    }

    private static Message message(String id, String body) {
        return TestUnits.message(id, SENT, body);
    }

    private static String clicks(int events, RandomGenerator random) {
        return IntStream.range(0, events).mapToObj(i -> "{\"type\":\"click\",\"time\":\""
                + SENT.minusSeconds(random.nextInt(200)) + "\",\"attributes\":{\"referrer\":\"r" + random.nextInt(5)
                + "\",\"bytes\":" + random.nextInt(1_000) + "}}").toList().toString();
    }

    private static String orderAt(String time, int count) {
        return order("acme", "o1", count).replace("2026-11-20T10:31:32Z", time)
                // Which only the general parser reads.
                .replace("\"count\":1,", "");
    }

    private static String order(String tenant, String id, int count) {
        return "{\"type\":\"order\",\"tenant\":\"" + tenant + "\",\"time\":\"2026-11-20T10:31:32Z\",\"id\":\"" + id
                + "\",\"count\":" + count + ",\"attributes\":{\"shop\":\"shop\",\"country\":\"nl\"}}";
    }
}
