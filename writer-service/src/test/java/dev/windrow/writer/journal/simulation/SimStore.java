package dev.windrow.writer.journal.simulation;

import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.Decimals;
import dev.windrow.base.Reason;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.table.Lane;
import dev.windrow.table.Parking;
import dev.windrow.table.Watermark;
import dev.windrow.writer.journal.CutKey;
import dev.windrow.writer.journal.Request;
import dev.windrow.writer.journal.Request.Answer;
import dev.windrow.writer.journal.Request.LaneUpdate;
import dev.windrow.writer.journal.Slot;
import dev.windrow.writer.journal.SlotContent;
import dev.windrow.writer.journal.SlotUpdate;
import dev.windrow.writer.journal.simulation.SimTable.Item;
import dev.windrow.writer.journal.simulation.SimTable.Prepared;
import dev.windrow.writer.journal.simulation.SimTable.Result;
import dev.windrow.writer.journal.simulation.SimTable.ValidationException;
import dev.windrow.writer.journal.simulation.SimTable.Write;
import dev.windrow.writer.record.Addition;
import dev.windrow.writer.record.BucketItem;
import dev.windrow.writer.record.Change;
import dev.windrow.writer.record.JournalRecord;
import dev.windrow.writer.record.RecordCodec;

/** Turns the journal's requests into writes of the table, like a real store. */
final class SimStore {

    private static final String LANE = "lane";
    private static final String IDS = "ids";
    private static final String TTL = "ttl";
    private static final String SLOTS = "slots";

    private final SimTable table;
    private final Oracle oracle;
    private final Mutation mutation;
    /** Items that take neither sums nor extremes, as somebody broke them. */
    private final Set<BucketItem> broken = new HashSet<>();
    /** Broken items that take nothing at all. */
    private final Set<BucketItem> stuck = new HashSet<>();
    private final Set<Long> refused = new HashSet<>();
    /** Whether updates of broken items are denied: they may succeed later. */
    private boolean denies;

    SimStore(SimTable table, Oracle oracle, Mutation mutation) {
        this.table = table;
        this.oracle = oracle;
        this.mutation = mutation;
    }

    void breakItem(BucketItem item, boolean entirely) {
        (entirely ? stuck : broken).add(item);
    }

    /** Makes updates of broken items denied from now on, instead of permanently refused. */
    void deny() {
        denies = true;
    }

    void refuse(long hash) {
        refused.add(hash);
    }

    void mend() {
        broken.clear();
        stuck.clear();
    }

    /** Returns the writes of a request; none if it only reads. */
    List<Write> writes(Request request) {
        if (request instanceof Request.ClaimMessages claim) {
            return claim(claim);
        }
        if (request instanceof Request.ParkItem park) {
            List<Write> writes = new ArrayList<>(List.of(lane(park.update(), item -> {
            })));
            Request.ParkItem.Mark mark = park.mark();
            if (mutation != Mutation.NO_MARK) {
                writes.add(new Write(key(mark.item()), item -> position(item, park.update().lane()) < mark.first(), item -> {
                    if (stuck.contains(mark.item())) {
                        throw new ValidationException("the item is too large");
                    }
                    item.set("j" + park.update().lane(), mark.last());
                }));
            }
            return writes;
        }
        if (request instanceof Request.RenewLane renew) {
            return List.of(lane(renew.update(), renew.releases() ? item -> item.set("holder", "") : item -> {
            }));
        }
        if (request instanceof Request.AcquireLane acquire) {
            return List.of(acquire(acquire));
        }
        if (request instanceof Request.CutSlots cut) {
            return List.of(new Write(key(cut.key()), item -> item.number(TTL) < cut.expires(), item -> {
                item.set(SLOTS, item.has(SLOTS) ? item.number(SLOTS) : (long) cut.slots());
                item.set(TTL, cut.expires());
            }));
        }
        if (request instanceof Request.ApplySums sums) {
            return List.of(sums(sums));
        }
        return request instanceof Request.ApplyExtreme extreme ? List.of(extreme(extreme)) : List.of();
    }

    private List<Write> claim(Request.ClaimMessages claim) {
        List<Write> writes = new ArrayList<>();
        writes.add(lane(claim.update(), item -> {
            item.set("position", claim.position());
            item.set("format", (long) claim.format());
            if (claim.deferral()) {
                item.set("deferred", claim.position());
            }
        }));
        List<byte[]> chunks = claim.deferral() ? deferral(claim.chunks()) : claim.chunks();
        for (int i = 0; i < chunks.size(); i++) {
            byte[] chunk = chunks.get(i);
            int number = i;
            writes.add(new Write("record#" + claim.update().lane() + "#" + claim.position() + "#" + i, item -> true, item -> {
                item.set("data", chunk);
                item.set("chunks", (long) chunks.size());
                item.set("number", (long) number);
            }));
        }
        for (SlotUpdate update : claim.slots()) {
            writes.add(new Write(key(update.slot()), item -> slotTakes(item, update), item -> {
                if (update.ids().length > 0) {
                    Set<Long> ids = new HashSet<>(ids(item));
                    for (long id : update.ids()) {
                        ids.add(id);
                    }
                    item.set(IDS, ids);
                }
                item.set(TTL, update.expires());
            }));
        }
        if (writes.size() > 100) {
            throw new AssertionError("a transaction of " + writes.size() + " items");
        }
        return writes;
    }

    /** Returns the record as a wrong protocol would write it. */
    private List<byte[]> deferral(List<byte[]> chunks) {
        if (mutation != Mutation.DEFERRED_MERGED && mutation != Mutation.DEFERRED_IN_PART
                && mutation != Mutation.DEFERRED_AS_NEW) {
            return chunks;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        chunks.forEach(bytes::writeBytes);
        JournalRecord record = RecordCodec.decode(bytes.toByteArray());
        List<Addition> additions = new ArrayList<>();
        List<JournalRecord.Span> spans = new ArrayList<>();
        for (int i = 0; i < record.additions().size(); i++) {
            Addition addition = record.additions().get(i);
            JournalRecord.Span span = record.spans().get(i);
            boolean more = i + 1 < record.additions().size() && isSameCell(addition, record.additions().get(i + 1));
            int last = additions.size() - 1;
            if (mutation == Mutation.DEFERRED_IN_PART && !more) {
                continue;
            }
            if (mutation == Mutation.DEFERRED_MERGED && last >= 0 && isSameCell(additions.get(last), addition)) {
                additions.set(last, new Addition(addition.item(), addition.granularity(),
                        Change.merged(additions.get(last).changes(), addition.changes())));
                spans.set(last, new JournalRecord.Span(spans.get(last).first(), span.last(), spans.get(last).claimedMillis()));
                continue;
            }
            additions.add(addition);
            spans.add(mutation == Mutation.DEFERRED_AS_NEW
                    ? new JournalRecord.Span(span.first(), span.last(), record.claimedMillis())
                    : span);
        }
        // A record without any span would be a claim's.
        return spans.isEmpty() ? chunks
                : List.of(RecordCodec.encode(new JournalRecord(record.claimedMillis(), additions, spans)));
    }

    private static boolean isSameCell(Addition some, Addition other) {
        Change change = some.changes().get(0);
        Change next = other.changes().get(0);
        return some.item().equals(other.item()) && change.kind().isAdditive() == next.kind().isAdditive()
                && (change.kind().isAdditive() || change.measure().equals(next.measure()));
    }

    private boolean slotTakes(Item item, SlotUpdate update) {
        Set<Long> ids = ids(item);
        if (update.ids().length == 0) {
            return !ids.isEmpty();
        }
        if (update.holds() != SlotUpdate.NAMED) {
            return mutation == Mutation.NO_SLOT_CONDITION || mutation == Mutation.NO_SLOT_SIZE || ids.size() == update.holds();
        }
        boolean known = Arrays.stream(update.ids()).anyMatch(ids::contains);
        return (mutation == Mutation.NO_SLOT_CONDITION || !known)
                && (mutation == Mutation.NO_SLOT_LIMIT || ids.size() < update.fullAt());
    }

    private static Set<Long> ids(Item item) {
        Set<Long> ids = item.<Set<Long>> get(IDS);
        return ids == null ? Set.of() : ids;
    }

    private Write lane(LaneUpdate update, Consumer<Item> action) {
        boolean epoch = mutation != Mutation.NO_EPOCH;
        return new Write(LANE + update.lane(),
                item -> mutation == Mutation.NO_FENCE || ((!epoch || item.number("epoch") == update.epoch())
                        && item.number("beat") < update.beat() && item.number("position") == update.position()),
                item -> {
                    action.accept(item);
                    item.set("beat", update.beat());
                    item.set("applied", mutation == Mutation.EARLY_APPLIED ? item.number("position") : update.applied());
                    item.set("watermarks", mutation == Mutation.LATE_START ? later(update.watermarks()) : update.watermarks());
                    item.set("parkings", update.parkings());
                });
    }

    private static List<Watermark> later(List<Watermark> watermarks) {
        return watermarks.stream().map(watermark -> new Watermark(watermark.granularity(), watermark.applied(),
                watermark.oldestMillis(), watermark.earliestStart() + 1)).toList();
    }

    private static Write acquire(Request.AcquireLane acquire) {
        return new Write(LANE + acquire.lane(),
                item -> item.number("epoch") == acquire.seenEpoch() && item.number("beat") == acquire.seenBeat(), item -> {
                    item.set("epoch", acquire.epoch());
                    item.set("beat", acquire.seenBeat() + 1);
                    item.set("holder", acquire.holder());
                    if (acquire.position() > 0) {
                        item.set("position", acquire.position());
                        item.set("applied", acquire.position());
                    }
                });
    }

    private Write sums(Request.ApplySums sums) {
        return new Write(key(sums.item()),
                item -> mutation == Mutation.NO_POSITION_CONDITION || position(item, sums.lane()) < sums.first(), item -> {
                    refuseIfBroken(sums.item());
                    for (Change change : sums.changes()) {
                        BigDecimal before = item.<BigDecimal> get(change.measure());
                        BigDecimal sum = before == null ? change.value().value() : before.add(change.value().value());
                        if (!Decimals.fits(sum)) {
                            throw new ValidationException("number overflow");
                        }
                        item.set(change.measure(), sum);
                    }
                    item.set("j" + sums.lane(), sums.last());
                });
    }

    private Write extreme(Request.ApplyExtreme extreme) {
        Change change = extreme.change();
        return new Write(key(extreme.item()), item -> {
            MeasureValue before = item.<MeasureValue> get(change.measure());
            return before == null || !change.kind().combine(before, change.value()).equals(before);
        }, item -> {
            refuseIfBroken(extreme.item());
            item.set(change.measure(), change.value());
        });
    }

    private void refuseIfBroken(BucketItem item) {
        if (broken.contains(item) || stuck.contains(item)) {
            throw new ValidationException("an operand in the update expression has an incorrect data type");
        }
    }

    static String key(BucketItem item) {
        return "bucket#" + item.partitionKey() + "#" + item.sortKey();
    }

    private static String key(Slot slot) {
        return "slot#" + slot.cut().kind().word() + slot.cut().minute() + "#" + slot.index() + "#" + slot.path();
    }

    private static String key(CutKey cut) {
        return "cut#" + cut.kind().word() + cut.minute();
    }

    static long position(Item item, int lane) {
        return item.number("j" + lane);
    }

    /** Whether a request has no definite answer yet and must be sent again, as the real store decides it. */
    boolean isUndecided(Prepared prepared) {
        if (!prepared.has(Result.CONFLICT)) {
            return false;
        }
        if (prepared.results().get(0) == Result.CONFLICT && mutation != Mutation.LANE_CONFLICT_UNSEEN) {
            return true;
        }
        return !prepared.has(Result.CONDITION) && prepared.results().stream().filter(result -> result != Result.OK).findFirst()
                .orElseThrow() == Result.CONFLICT;
    }

    /** Whether a request is executed; if so, tells the oracle. */
    boolean takes(Request request, Prepared prepared, String writer) {
        if (isNeverTaken(request) || !prepared.holds()) {
            return false;
        }
        oracle.executed(request, writer);
        return true;
    }

    private boolean isNeverTaken(Request request) {
        return request instanceof Request.ClaimMessages claim && claim.slots().stream()
                .anyMatch(update -> Arrays.stream(update.ids()).anyMatch(refused::contains));
    }

    /** Returns the answer to a request, executed or not. */
    Answer answer(Request request, Prepared prepared) {
        if (isNeverTaken(request)) {
            return new Answer.Refused(Reason.REFUSED, "the transaction is not valid");
        }
        return prepared.holds() ? done(request) : refused(request, prepared.results());
    }

    Answer execute(Request request, String writer) {
        Prepared prepared = table.prepare(writes(request));
        if (takes(request, prepared, writer)) {
            table.commit(prepared);
        }
        return answer(request, prepared);
    }

    private Answer done(Request request) {
        if (request instanceof Request.ReadLanes read) {
            List<Lane> lanes = new ArrayList<>();
            for (int i = 0; i < read.count(); i++) {
                Lane lane = lane(i);
                if (lane != null) {
                    lanes.add(lane);
                }
            }
            return new Answer.Lanes(lanes);
        }
        if (request instanceof Request.ReadRecord read) {
            return new Answer.StoredRecord(record(read.lane(), read.position()));
        }
        if (request instanceof Request.AcquireLane acquire) {
            return new Answer.LaneIs(required(acquire.lane(), acquire.seenEpoch()));
        }
        if (request instanceof Request.CutSlots cut) {
            return cut(cut);
        }
        return request instanceof Request.ApplySums sums && !sums.extremes().isEmpty() ? new Answer.AppliedKeeping(held(sums))
                : Answer.DONE;
    }

    private Set<String> held(Request.ApplySums sums) {
        Item item = table.get(key(sums.item()));
        Set<String> held = new HashSet<>();
        for (Change extreme : sums.extremes()) {
            MeasureValue stored = item.<MeasureValue> get(extreme.measure());
            if (mutation == Mutation.EXTREMES_UNSEEN
                    || (stored != null && extreme.kind().combine(stored, extreme.value()).equals(stored))) {
                held.add(extreme.measure());
            }
        }
        return held;
    }

    private Answer refused(Request request, List<Result> results) {
        if (request instanceof Request.ClaimMessages claim) {
            List<SlotContent> contents = new ArrayList<>();
            int first = 1 + claim.chunks().size();
            for (int i = first; i < results.size(); i++) {
                if (results.get(i) == Result.CONDITION) {
                    Slot slot = claim.slots().get(i - first).slot();
                    Item item = table.get(key(slot));
                    contents.add(new SlotContent(slot, ids(item).stream().mapToLong(Long::longValue).toArray(),
                            item.number(TTL)));
                }
            }
            return new Answer.ClaimRefused(results.get(0) == Result.CONDITION ? required(claim.update()) : null, contents);
        }
        if (request instanceof Request.ParkItem park) {
            if (results.get(0) == Result.CONDITION) {
                return new Answer.LaneIs(required(park.update()));
            }
            Request.ParkItem.Mark mark = park.mark();
            return results.get(1) == Result.CONDITION
                    ? new Answer.AppliedUpTo(position(table.get(key(mark.item())), park.update().lane()))
                    : new Answer.Refused(Reason.REFUSED, "the item is too large");
        }
        if (request instanceof Request.LaneWrite write) {
            return new Answer.LaneIs(required(write.update()));
        }
        if (request instanceof Request.AcquireLane acquire) {
            return new Answer.LaneIs(required(acquire.lane(), acquire.seenEpoch()));
        }
        if (request instanceof Request.CutSlots cut) {
            return cut(cut);
        }
        if (results.get(0) == Result.VALIDATION) {
            return denies ? new Answer.Denied(Reason.ACCESS_DENIED, "the role may not write this item")
                    : new Answer.Refused(Reason.REFUSED, "an operand has an incorrect data type");
        }
        return request instanceof Request.ApplySums sums
                ? new Answer.AppliedUpTo(position(table.get(key(sums.item())), sums.lane()))
                : Answer.DONE;
    }

    private Answer cut(Request.CutSlots cut) {
        Item item = table.get(key(cut.key()));
        return new Answer.Cut((int) item.number(SLOTS), item.number(TTL));
    }

    private byte @Nullable [] record(int lane, long position) {
        String key = "record#" + lane + "#" + position + "#";
        Item first = table.get(key + 0);
        if (first.isEmpty()) {
            return null;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (long i = 0; i < first.number("chunks"); i++) {
            bytes.writeBytes(Objects.requireNonNull(table.get(key + i).<byte[]> get("data")));
        }
        return bytes.toByteArray();
    }

    private Lane required(LaneUpdate update) {
        return required(update.lane(), update.epoch());
    }

    private Lane required(int number, long seenEpoch) {
        Lane lane = lane(number);
        long epoch = mutation == Mutation.DELETED_UNSEEN ? seenEpoch + 1 : 0;
        return lane == null ? new Lane(number, epoch, 0, "", 0, 0, 0, List.of(), List.of(), 0, "") : lane;
    }

    /** Deletes a lane's item; false while a transaction holds it. */
    boolean forget(int lane) {
        return table.remove(LANE + lane);
    }

    /** Returns a lane's current state; null if it does not exist. */
    @Nullable
    Lane lane(int number) {
        Item item = table.get(LANE + number);
        if (item.isEmpty()) {
            return null;
        }
        String damage = item.<String> get("damage");
        if (damage != null && !damage.isEmpty()) {
            return Lane.unreadable(number, damage);
        }
        String holder = item.<String> get("holder");
        List<Watermark> watermarks = item
                .<List<Watermark>> get("watermarks");
        List<Parking> parkings = item
                .<List<Parking>> get("parkings");
        return new Lane(number, item.number("epoch"), item.number("beat"), holder == null ? "" : holder,
                item.number("position"), item.number("applied"), (int) item.number("format"),
                watermarks == null ? List.of() : watermarks, parkings == null ? List.of() : parkings,
                mutation == Mutation.DEFERRED_UNSEEN ? 0 : item.number("deferred"), "");
    }
}
