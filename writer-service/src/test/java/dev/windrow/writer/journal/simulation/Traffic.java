package dev.windrow.writer.journal.simulation;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

import dev.windrow.dataset.MeasureKind;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.time.Granularity;
import dev.windrow.writer.record.Addition;
import dev.windrow.writer.record.BucketItem;
import dev.windrow.writer.record.Change;
import dev.windrow.writer.record.ClaimId;
import dev.windrow.writer.record.ClaimUnit;
import dev.windrow.writer.record.IndexKey;

/** Makes messages, each resolved by two declarations of the datasets. */
final class Traffic {

    static final int VERSIONS = 2;
    private static final String[] GRANULARITIES = { "minute", "hour", "day" };

    private final SplittableRandom random;
    private final Scenario scenario;
    private final Map<ClaimId, List<ClaimUnit>> units = new LinkedHashMap<>();
    private final List<ClaimId> events = new ArrayList<>();

    Traffic(SplittableRandom random, Scenario scenario) {
        this.random = random;
        this.scenario = scenario;
    }

    Map<ClaimId, List<ClaimUnit>> units() {
        return units;
    }

    SimMessage message(int number, long nowMillis, long visibleAt) {
        List<List<ClaimUnit>> byVersion = List.of(new ArrayList<>(), new ArrayList<>());
        if (Scenario.chance(random, scenario.eventIds)) {
            int count = random.nextInt(1, 6);
            for (int i = 0; i < count; i++) {
                add(event(nowMillis), byVersion);
            }
        }
        boolean addsNothing = Scenario.chance(random, scenario.addsNothing);
        if (byVersion.get(0).isEmpty() && !(addsNothing && random.nextBoolean())) {
            int parts = random.nextInt(10) == 0 ? 3 : 1;
            for (int part = 0; part < parts; part++) {
                add(new ClaimId(ClaimId.Kind.MESSAGE, nowMillis, random.nextLong()), byVersion);
            }
        }
        return new SimMessage("message-" + number, byVersion, visibleAt);
    }

    /** Returns a new event, or an earlier one, as producers send events again. */
    private ClaimId event(long nowMillis) {
        if (!events.isEmpty() && random.nextInt(3) == 0) {
            return events.get(random.nextInt(events.size()));
        }
        long hash = random.nextLong();
        // Half of the events are at a whole second, the others at an instant of their own.
        ClaimId id = new ClaimId(ClaimId.Kind.EVENT, hash < 0 ? nowMillis / 1_000 * 1_000 : nowMillis, hash);
        events.add(id);
        return id;
    }

    private void add(ClaimId id, List<List<ClaimUnit>> byVersion) {
        List<ClaimUnit> resolved = units.computeIfAbsent(id, this::unit);
        for (int version = 0; version < VERSIONS; version++) {
            byVersion.get(version).add(resolved.get(version));
        }
    }

    private List<ClaimUnit> unit(ClaimId id) {
        Map<BucketItem, Addition> first = new LinkedHashMap<>();
        Map<BucketItem, Addition> second = new LinkedHashMap<>();
        int events = random.nextInt(1, 4);
        for (int i = 0; i < events; i++) {
            int label = random.nextInt(scenario.labels);
            BigDecimal bytes = BigDecimal.valueOf(random.nextLong(-50, 1_000), random.nextInt(3));
            Instant time = Instant.ofEpochSecond(random.nextLong(scenario.seconds) * 60, random.nextInt(1_000));
            for (String granularity : GRANULARITIES) {
                String start = granularity + "#" + Granularity.parse(granularity).orElseThrow().floor(time);
                add(first, "clicks#" + label, start, granularity, bytes, time);
                // The new declaration has another label, and no hours.
                if (!granularity.equals("hour")) {
                    add(second, "clicks#" + label % 2 + "#new", start, granularity, bytes, time);
                }
            }
        }
        return List.of(new ClaimUnit(id, List.copyOf(first.values())), new ClaimUnit(id, List.copyOf(second.values())));
    }

    private static void add(Map<BucketItem, Addition> additions, String partition, String sort, String granularity,
            BigDecimal bytes, Instant time) {
        BucketItem item = new BucketItem(partition, sort,
                granularity.equals("day") ? null : new IndexKey("clicks#" + granularity + "#7", sort + "#" + partition));
        List<Change> changes = List.of(
                new Change("events", MeasureKind.COUNT, MeasureValue.ONE),
                new Change("bytes", MeasureKind.SUM, MeasureValue.of(bytes)),
                new Change("largest", MeasureKind.MAX, MeasureValue.of(bytes)),
                new Change("latest", MeasureKind.LAST, MeasureValue.at(bytes, time)));
        additions.merge(item, new Addition(item, granularity, changes),
                (some, more) -> new Addition(item, granularity, Change.merged(some.changes(), more.changes())));
    }

    /** A message of the queue; it lasts until it is deleted, and perhaps a little longer. */
    static final class SimMessage {

        final String id;
        /** Its units as each declaration of the datasets resolves them. */
        final List<List<ClaimUnit>> unitsByVersion;
        long visibleAt;
        boolean deleted;
        /** Whether the whole message is in the dead-letter queue. */
        boolean letterSent;
        final Set<Object> receivers = new HashSet<>();

        SimMessage(String id, List<List<ClaimUnit>> unitsByVersion, long visibleAt) {
            this.id = id;
            this.unitsByVersion = unitsByVersion;
            this.visibleAt = visibleAt;
        }
    }
}
