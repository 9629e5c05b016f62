package dev.windrow.writer.journal.simulation;

import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.MeasureValue;
import dev.windrow.table.BucketKey;
import dev.windrow.table.Freshness;
import dev.windrow.table.Lane;
import dev.windrow.table.Watermark;
import dev.windrow.writer.journal.CutKey;
import dev.windrow.writer.journal.Request;
import dev.windrow.writer.journal.Request.LaneUpdate;
import dev.windrow.writer.journal.SlotUpdate;
import dev.windrow.writer.journal.simulation.SimTable.Item;
import dev.windrow.writer.record.Addition;
import dev.windrow.writer.record.BucketItem;
import dev.windrow.writer.record.CellKey;
import dev.windrow.writer.record.Change;
import dev.windrow.writer.record.ClaimId;
import dev.windrow.writer.record.ClaimUnit;
import dev.windrow.writer.record.JournalRecord;
import dev.windrow.writer.record.RecordCodec;

/** Sees every executed request, knows what must come of it, and throws if something else does. */
final class Oracle {

    private final SimTable table;
    private final Map<ClaimId, List<ClaimUnit>> units;
    /** Claimed units and the version that resolved them. */
    private final Map<ClaimId, Integer> claimed = new HashMap<>();
    private final Map<CutKey, Map<Long, ClaimId>> idsByHash = new HashMap<>();
    private final Map<Integer, Map<Long, JournalRecord>> records = new HashMap<>();
    /** The newest record of deferred additions of each lane, and its position. */
    private final Map<Integer, JournalRecord> deferrals = new HashMap<>();
    private final Map<Integer, Long> deferredAt = new HashMap<>();
    /** Additions that lanes reported as applied, but that were deferred. */
    private final Set<Lack> lacking = new HashSet<>();
    private final Map<Integer, Long> epochs = new HashMap<>();
    private final Map<Integer, Long> positions = new HashMap<>();
    /** The position up to which a lane's granularity was checked to be whole. */
    private final Map<String, Long> checked = new HashMap<>();
    private final Map<Long, Request.SendParked> letters = new LinkedHashMap<>();
    /** Positions whose additions to a cell are in letters. */
    private final Set<String> parkedPositions = new HashSet<>();
    private final Map<String, Integer> versions = new HashMap<>();
    /** Bucket starts by sort key: parsing them took most of the simulation's time. */
    private final Map<String, Long> starts = new HashMap<>();

    /** An addition of a record to a cell that does not have it yet. */
    private record Lack(int lane, long at, String granularity, BucketItem item, Change change, long claimedMillis) {

        @Nullable
        String extreme() {
            return change.kind().isAdditive() ? null : change.measure();
        }
    }

    Oracle(SimTable table, Map<ClaimId, List<ClaimUnit>> units) {
        this.table = table;
        this.units = units;
    }

    /** Notes that a writer starts, with a version of the datasets. */
    void writer(String holder, int version) {
        versions.put(holder, version);
    }

    /** Notes that a lane was changed behind its holder's back. */
    void acquired(Lane lane) {
        epochs.put(lane.number(), lane.epoch());
        positions.put(lane.number(), lane.position());
        List.of("minute", "hour", "day").forEach(granularity -> checked.put(lane.number() + granularity, lane.position()));
    }

    /** Notes that a lane's item was deleted: its unapplied additions are lost, unless a writer reports it. */
    void forget(int lane) {
        epochs.remove(lane);
        positions.remove(lane);
        records.remove(lane);
        deferrals.remove(lane);
        deferredAt.remove(lane);
        lacking.removeIf(lack -> lack.lane == lane);
        List.of("minute", "hour", "day").forEach(granularity -> checked.remove(lane + granularity));
    }

    void expect(ClaimId id) {
        idsByHash.computeIfAbsent(CutKey.of(id), key -> new HashMap<>()).put(id.hash(), id);
    }

    /** @param what evaluated only if the check fails: texts would cost more than everything else here */
    static void check(boolean holds, Supplier<String> what) {
        if (!holds) {
            throw new AssertionError(what.get());
        }
    }

    void executed(Request request, String writer) {
        if (request instanceof Request.AcquireLane acquire) {
            Long epoch = epochs.put(acquire.lane(), acquire.epoch());
            check(epoch == null || epoch == acquire.seenEpoch(),
                    () -> "the epoch of lane " + acquire.lane() + " went from " + epoch);
            if (acquire.position() > 0) {
                jump(acquire);
            }
        } else if (request instanceof Request.ClaimMessages claim) {
            claim(claim, writer);
        } else if (request instanceof Request.ApplySums sums) {
            checkNotParked(sums);
        }
        if (request instanceof Request.LaneWrite write) {
            LaneUpdate update = write.update();
            long position = positions.getOrDefault(update.lane(), 0L);
            check(Objects.equals(epochs.get(update.lane()), update.epoch()),
                    () -> "lane " + update.lane() + " written by epoch "
                            + update.epoch() + ", acquired by " + epochs.get(update.lane()));
            check(update.applied() <= position, () -> "applied beyond the position");
            checkApplied(update, position);
            checkLacking(update.lane(), update.applied());
        }
    }

    /** Checks that deferred additions stay deferred until they are applied. */
    private void checkLacking(int lane, long applied) {
        lacking.removeIf(lack -> lack.lane == lane && isApplied(lack));
        for (Lack lack : lacking) {
            check(lack.lane != lane || isDeferred(lack, applied), () -> "neither applied nor deferred: " + lack);
        }
    }

    private boolean isApplied(Lack lack) {
        Item item = table.get(SimStore.key(lack.item));
        String extreme = lack.extreme();
        boolean applied = extreme == null ? SimStore.position(item, lack.lane) >= lack.at
                : isBeaten(item.<MeasureValue> get(extreme), lack.change);
        return applied || parkedPositions.contains(parked(lack.lane, new CellKey(lack.item, extreme).hash(), lack.at));
    }

    private boolean isDeferred(Lack lack, long applied) {
        JournalRecord record = deferrals.get(lack.lane);
        if (record == null || Objects.requireNonNull(deferredAt.get(lack.lane)) <= applied) {
            return false;
        }
        for (int i = 0; i < record.additions().size(); i++) {
            Addition addition = record.additions().get(i);
            JournalRecord.Span span = record.spans().get(i);
            Change first = addition.changes().get(0);
            String extreme = first.kind().isAdditive() ? null : first.measure();
            if (addition.item().equals(lack.item) && Objects.equals(extreme, lack.extreme()) && span.first() <= lack.at
                    && lack.at <= span.last()) {
                return true;
            }
        }
        return false;
    }

    /** Checks that a position jumps ahead only if everything is applied. */
    private void jump(Request.AcquireLane acquire) {
        Long before = positions.put(acquire.lane(), acquire.position());
        long position = before == null ? 0 : before;
        check(position < acquire.position(), () -> "lane " + acquire.lane() + " went from " + position + " to "
                + acquire.position());
        for (String granularity : List.of("minute", "hour", "day")) {
            Long whole = checked.put(acquire.lane() + granularity, acquire.position());
            for (long at = whole == null ? 1 : whole + 1; at <= position; at++) {
                checkApplied(acquire.lane(), at, granularity, item -> true, Long.MAX_VALUE);
            }
        }
        checkLacking(acquire.lane(), Long.MAX_VALUE);
    }

    /** Checks that an update adds nothing that is in the dead-letter queue. */
    private void checkNotParked(Request.ApplySums sums) {
        long cell = new CellKey(sums.item(), null).hash();
        for (long at = sums.first(); at <= sums.last(); at++) {
            String parked = parked(sums.lane(), cell, at);
            check(!parkedPositions.contains(parked), () -> parked + " is parked, and applied: " + sums);
        }
    }

    private void claim(Request.ClaimMessages claim, String writer) {
        int lane = claim.update().lane();
        Long position = positions.put(lane, claim.position());
        check((position == null ? 0 : position) == claim.position() - 1,
                () -> "lane " + lane + " went from " + position + " to " + claim.position());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        claim.chunks().forEach(bytes::writeBytes);
        JournalRecord record = RecordCodec.decode(bytes.toByteArray());
        if (claim.deferral()) {
            deferrals.put(lane, record);
            deferredAt.put(lane, claim.position());
            record = new JournalRecord(record.claimedMillis(), List.of());
        }
        records.computeIfAbsent(lane, key -> new HashMap<>()).put(claim.position(), record);
        for (SlotUpdate update : claim.slots()) {
            for (long hash : update.ids()) {
                ClaimId id = Objects.requireNonNull(idsByHash.get(update.slot().cut())).get(hash);
                Integer before = claimed.put(Objects.requireNonNull(id), Objects.requireNonNull(versions.get(writer)));
                check(before == null, () -> id + " is claimed twice");
            }
        }
    }

    /** Checks what the lane's item says is whole: all records of a granularity, and all buckets before a start. */
    private void checkApplied(LaneUpdate update, long position) {
        Map<String, Long> lagging = new HashMap<>();
        for (Watermark watermark : update.watermarks()) {
            lagging.put(watermark.granularity(), watermark.applied());
            for (long at = watermark.applied() + 1; at <= position; at++) {
                checkApplied(update.lane(), at, watermark.granularity(), item -> start(item) < watermark.earliestStart(),
                        Long.MAX_VALUE);
            }
            for (Lack lack : lacking) {
                check(lack.lane != update.lane() || !lack.granularity.equals(watermark.granularity())
                        || start(lack.item) >= watermark.earliestStart() || isApplied(lack),
                        () -> "before " + watermark + ": " + lack);
            }
        }
        for (String granularity : List.of("minute", "hour", "day")) {
            long whole = Math.max(update.applied(), lagging.getOrDefault(granularity, position));
            String key = update.lane() + granularity;
            for (long at = checked.getOrDefault(key, 0L) + 1; at <= whole; at++) {
                checkApplied(update.lane(), at, granularity, item -> true, update.applied());
                checked.put(key, at);
            }
        }
    }

    private long start(BucketItem item) {
        return starts.computeIfAbsent(item.sortKey(), key -> BucketKey.startSeconds(key).orElse(Watermark.ANY_START));
    }

    /** @param applied the lane's applied position: additions may be deferred to a record above it */
    private void checkApplied(int lane, long at, String granularity, Predicate<BucketItem> items, long applied) {
        JournalRecord record = Objects.requireNonNull(Objects.requireNonNull(records.get(lane)).get(at));
        for (Addition addition : record.additions()) {
            if (!addition.granularity().equals(granularity) || !items.test(addition.item())) {
                continue;
            }
            for (Change change : addition.changes()) {
                Lack lack = new Lack(lane, at, granularity, addition.item(), change, record.claimedMillis());
                if (!isApplied(lack)) {
                    check(isDeferred(lack, applied), () -> "not applied: " + lack);
                    lacking.add(lack);
                }
            }
        }
    }

    private static boolean isBeaten(@Nullable MeasureValue value, Change change) {
        return value != null && change.kind().combine(value, change.value()).equals(value);
    }

    private static String parked(int lane, long cell, long at) {
        return lane + "#" + cell + "#" + at;
    }

    /** Notes that a letter with parked additions arrives in the dead-letter queue; returns whether it was there already. */
    boolean letter(Request.SendParked letter) {
        Request.SendParked before = letters.putIfAbsent(letter.id().hash(), letter);
        check(before == null || same(before, letter), () -> "two letters of the same id: " + before + " and " + letter);
        long cell = new CellKey(letter.item(),
                letter.changes().get(0).kind().isAdditive() ? null : letter.changes().get(0).measure()).hash();
        for (long at = letter.first(); at <= letter.last(); at++) {
            parkedPositions.add(parked(letter.lane(), cell, at));
        }
        return before != null;
    }

    private static boolean same(Request.SendParked some, Request.SendParked other) {
        return some.item().equals(other.item()) && some.id().equals(other.id())
                && changes(some.changes()).equals(changes(other.changes()));
    }

    private static Map<String, Object> changes(List<Change> changes) {
        Map<String, Object> values = new HashMap<>();
        changes.forEach(change -> values.put(change.measure(),
                change.value().value().stripTrailingZeros() + " at " + change.value().time()));
        return values;
    }

    boolean isClaimed(ClaimId id) {
        return claimed.containsKey(id);
    }

    /** Checks the freshness that lanes report, of all buckets and of those that start before any time. */
    void checkAsOf(List<Lane> lanes, long readMillis) {
        Map<Integer, Long> read = new HashMap<>();
        lanes.forEach(lane -> read.put(lane.number(), lane.position()));
        Freshness freshness = new Freshness(readMillis, lanes.stream().flatMap(lane -> lane.watermarks().stream()).toList());
        for (String granularity : List.of("minute", "hour", "day")) {
            records.forEach((lane, byPosition) -> byPosition.forEach((at, record) -> {
                // A record whose lane's item is not written yet comes after the lanes were read.
                if (at > checked.getOrDefault(lane + granularity, 0L) && at <= read.getOrDefault(lane, 0L)) {
                    checkApplied(lane, at, granularity,
                            item -> record.claimedMillis() < freshness.asOf(granularity, start(item) + 1), Long.MAX_VALUE);
                }
            }));
            for (Lack lack : lacking) {
                check(!lack.granularity.equals(granularity) || lack.at > read.getOrDefault(lack.lane, 0L) || isApplied(lack)
                        || lack.claimedMillis >= freshness.asOf(granularity, start(lack.item) + 1),
                        () -> "said to be there: " + lack);
            }
        }
    }

    /** Checks that everything is claimed, except what the table never takes. */
    void checkAllClaimed(Set<ClaimId> unclaimable) {
        for (ClaimId id : units.keySet()) {
            check(claimed.containsKey(id) != unclaimable.contains(id), () -> id + " is not claimed");
        }
    }

    /** Checks the buckets at the end, when all letters were replayed and claimed. */
    void checkBuckets() {
        Map<BucketItem, Map<String, Change>> expected = new LinkedHashMap<>();
        claimed.forEach((id, version) -> {
            if (id.kind() != ClaimId.Kind.PARKED) {
                for (Addition addition : Objects.requireNonNull(units.get(id)).get(version).additions()) {
                    Map<String, Change> sums = expected.computeIfAbsent(addition.item(), key -> new HashMap<>());
                    addition.changes().forEach(change -> sums.merge(change.measure(), change, Change::with));
                }
            }
        });
        List<String> wrong = new ArrayList<>();
        expected.forEach((item, sums) -> sums.forEach((measure, change) -> {
            Object found = table.get(SimStore.key(item)).get(measure);
            if (!isSame(change.value(), found)) {
                wrong.add(item + " " + measure + ": expected " + change.value() + ", found " + found);
            }
        }));
        check(wrong.isEmpty(), () -> "wrong buckets: " + wrong);
    }

    private static boolean isSame(MeasureValue expected, @Nullable Object found) {
        if (found instanceof MeasureValue value) {
            return value.value().compareTo(expected.value()) == 0 && Objects.equals(value.time(), expected.time());
        }
        return found instanceof BigDecimal number && number.compareTo(expected.value()) == 0;
    }
}
