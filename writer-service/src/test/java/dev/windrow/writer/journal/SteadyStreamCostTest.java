package dev.windrow.writer.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.testing.Seeds;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.journal.simulation.Direct;
import dev.windrow.writer.testing.TestMessage;
import dev.windrow.writer.testing.TestUnits;
import dev.windrow.writer.testing.UsualSettings;

/**
 * Checks that a steady stream costs what {@code docs/cost.md} says, by DynamoDB's rules: one unit per started KB of an item,
 * another one for its copy in the index, and twice that in a transaction.
 */
class SteadyStreamCostTest {

    private static final int LABELS = 10;
    private static final int MINUTE_MILLIS = 60_000;
    private static final int TICK_MILLIS = 50;
    /** Time from the last event of a message until the writer receives it. */
    private static final int WAY_MILLIS = 30;
    /** Maximum duration of a write of the lane's item, which varies. */
    private static final int MAX_WRITE_MILLIS = 200;
    private static final int KB = 1_024;
    private static final int ITEM_BYTES = 50;
    private static final String DATASETS = """
            windrow:
              datasets:
                clicks:
                  event-type: click
                  label: [referrer]
                  granularities: [minute]
                  index: [minute]
                  dedupe: DEDUPE
                  measures:
                    events: {type: count}
                    bytes: {type: sum, attribute: bytes}
            """;

    private final RandomGenerator random = Seeds.random("SteadyStreamCostTest");
    private final Direct direct = new Direct();

    private record Cost(double buckets, double claims) {
    }

    @ParameterizedTest
    @CsvSource({ "message, 100, 1", "message, 100, 10", "message, 100, 100", "message, 500, 1", "message, 500, 10",
            "message, 500, 100", "message, 2000, 1", "message, 2000, 100", "event-id, 100, 1", "event-id, 100, 10",
            "event-id, 100, 100", "event-id, 500, 1",
            "event-id, 500, 10", "event-id, 500, 100" })
    void aSteadyStreamCostsWhatThePageSays(String dedupe, int eventsPerSecond, int eventsOfAMessage) {
        // Given
        double ids = dedupe.equals("message") ? eventsPerSecond / (double) eventsOfAMessage : eventsPerSecond;
        // One indexed granularity, written every two seconds; the record is smaller than a KB.
        double buckets = (1 + 1) * LABELS / 2.0;
        double lane = 2;
        double record = 2;
        double slots = 2 * (1 + ids / 100);

        // When
        Cost cost = cost(DATASETS.replace("DEDUPE", dedupe), eventsPerSecond, eventsOfAMessage);

        // Then
        System.out.printf("cost of %s, %d events a second, %d a message: %s; the page: %.1f and %.1f%n", dedupe,
                eventsPerSecond, eventsOfAMessage, cost, buckets, lane + record + slots);
        assertThat(cost.buckets()).as("units a second for buckets").isCloseTo(buckets, withinPercentage(15));
        assertThat(cost.claims()).as("units a second for claims").isCloseTo(lane + record + slots, withinPercentage(15));
    }

    /** Returns the cost of a whole minute; before it, the writer learns the rate by which the minute is cut into slots. */
    private Cost cost(String datasets, int eventsPerSecond, int eventsOfAMessage) {
        TestUnits units = new TestUnits(datasets);
        direct.start(UsualSettings.of("writer"));
        long from = (direct.now().millis() / MINUTE_MILLIS + 1) * MINUTE_MILLIS;
        long to = from + MINUTE_MILLIS;
        long first = direct.now().millis() * eventsPerSecond / 1_000;
        int before = 0;
        while (direct.now().millis() < to) {
            for (; (first + eventsOfAMessage - 1) * 1_000 / eventsPerSecond + WAY_MILLIS <= direct.now()
                    .millis(); first += eventsOfAMessage) {
                direct.receive(new TestMessage(units.of(message(first, eventsOfAMessage, eventsPerSecond))));
            }
            direct.setLaneWriteMillis(random.nextInt(1, MAX_WRITE_MILLIS));
            direct.run(TICK_MILLIS);
            before = direct.now().millis() < from ? direct.requests().size() : before;
        }
        return cost(direct.requests(), before);
    }

    private Message message(long first, int events, int eventsPerSecond) {
        List<String> all = new ArrayList<>();
        Instant time = Instant.EPOCH;
        for (long event = first; event < first + events; event++) {
            time = Instant.ofEpochMilli(event * 1_000 / eventsPerSecond);
            all.add("{\"type\":\"click\",\"id\":\"e" + event + "\",\"time\":\"" + time + "\",\"attributes\":{\"referrer\":\"r"
                    + random.nextInt(LABELS) + "\",\"bytes\":" + random.nextInt(10_000) + "}}");
        }
        return TestUnits.message("m" + first, time, all.toString());
    }

    private static Cost cost(List<Request> requests, int before) {
        double buckets = 0;
        double claims = 0;
        Map<Slot, Set<Long>> slots = new HashMap<>();
        for (int i = 0; i < requests.size(); i++) {
            boolean counts = i >= before;
            if (requests.get(i) instanceof Request.ApplySums) {
                buckets += counts ? 2 : 0;
            } else if (requests.get(i) instanceof Request.ClaimMessages claim) {
                double units = claim(claim, slots);
                claims += counts ? units : 0;
            } else if (requests.get(i) instanceof Request.LaneWrite || requests.get(i) instanceof Request.CutSlots) {
                claims += counts ? 1 : 0;
            }
        }
        return new Cost(buckets / 60, claims / 60);
    }

    private static double claim(Request.ClaimMessages claim, Map<Slot, Set<Long>> slots) {
        double units = units(ITEM_BYTES);
        for (byte[] chunk : claim.chunks()) {
            units += units(ITEM_BYTES + chunk.length);
        }
        boolean refused = claim.slots().stream()
                .anyMatch(update -> slots.getOrDefault(update.slot(), Set.of()).size() >= update.fullAt());
        for (SlotUpdate update : claim.slots()) {
            Set<Long> ids = slots.computeIfAbsent(update.slot(), slot -> new HashSet<>());
            if (!refused) {
                for (long id : update.ids()) {
                    ids.add(id);
                }
            }
            units += units(ITEM_BYTES + ids.size() * Long.BYTES);
        }
        return 2 * units;
    }

    private static double units(int bytes) {
        return Math.ceil(bytes / (double) KB);
    }
}
