package dev.windrow.writer.journal.simulation;

import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.Reason;
import dev.windrow.table.Lane;
import dev.windrow.writer.journal.JournalMessage;
import dev.windrow.writer.journal.JournalSettings;
import dev.windrow.writer.journal.JournalWriter;
import dev.windrow.writer.journal.MemoryShortage;
import dev.windrow.writer.journal.Now;
import dev.windrow.writer.journal.Request;
import dev.windrow.writer.journal.Request.Answer;
import dev.windrow.writer.journal.simulation.SimTable.Item;
import dev.windrow.writer.record.BucketItem;
import dev.windrow.writer.record.ClaimId;
import dev.windrow.writer.record.ClaimUnit;
import dev.windrow.writer.record.JournalRecord;
import dev.windrow.writer.record.RecordCodec;
import dev.windrow.writer.testing.Answering;

/** A world without faults, for one writer at a time: each request is executed and answered at once. */
public final class Direct {

    private static final long TICK_MILLIS = 50;

    private final SimTable table = new SimTable();
    private final Map<ClaimId, List<ClaimUnit>> units = new HashMap<>();
    private final Oracle oracle = new Oracle(table, units);
    private final SimStore store = new SimStore(table, oracle, Mutation.NONE);
    private final List<Request> requests = new ArrayList<>();
    private long nowMillis = 1_790_000_000_000L;
    private @Nullable JournalWriter writer;
    private String holder = "";
    private MemoryShortage urgent = MemoryShortage.NONE;
    private boolean lettersAreAnswered = true;
    private long laneWriteMillis;
    private Predicate<BucketItem> stuck = item -> false;
    private boolean refusesDeferrals;
    private final Deque<Late> late = new ArrayDeque<>();

    private record Late(long atMillis, Request request, Answer answer) {
    }

    /** Starts a new process; whatever the previous one held is left behind. */
    public JournalWriter start(JournalSettings settings) {
        holder = settings.holder();
        oracle.writer(holder, 0);
        JournalWriter started = new JournalWriter(settings);
        writer = started;
        return started;
    }

    public Now now() {
        return new Now(nowMillis * 1_000_000, nowMillis);
    }

    public void setUrgent(MemoryShortage urgentNow) {
        urgent = urgentNow;
    }

    public void leaveLettersUnanswered() {
        lettersAreAnswered = false;
    }

    /** Sets how long answers to writes of lanes take from now on; the writes themselves are done at once. */
    public void setLaneWriteMillis(long millis) {
        laneWriteMillis = millis;
    }

    public void stop(Predicate<BucketItem> items) {
        stuck = items;
    }

    public void refuseDeferrals() {
        refusesDeferrals = true;
    }

    /** Gives a message to the writer. It may be given again; its units count once. */
    public void receive(JournalMessage message) {
        for (ClaimUnit unit : message.units()) {
            if (units.putIfAbsent(unit.id(), List.of(unit, unit)) == null) {
                oracle.expect(unit.id());
            }
        }
        Objects.requireNonNull(writer).receive(message, now());
    }

    public void run(long millis) {
        JournalWriter running = Objects.requireNonNull(writer);
        for (long end = nowMillis + millis; nowMillis < end; nowMillis += TICK_MILLIS) {
            while (!late.isEmpty() && late.element().atMillis() <= nowMillis) {
                Answering.answer(running, late.element().request(), late.remove().answer(), now());
            }
            running.tick(now(), urgent);
            for (Request request = running.poll(); request != null; request = running.poll()) {
                requests.add(request);
                Answer answer = isUnanswered(request) ? null : answer(request);
                if (answer != null && request instanceof Request.LaneWrite && laneWriteMillis > 0) {
                    late.add(new Late(nowMillis + laneWriteMillis, request, answer));
                } else if (answer != null) {
                    Answering.answer(running, request, answer, now());
                    running.tick(now(), urgent);
                }
            }
        }
    }

    private boolean isUnanswered(Request request) {
        return request instanceof Request.Report || (request instanceof Request.SendParked && !lettersAreAnswered);
    }

    private Answer answer(Request request) {
        if (request instanceof Request.SendParked letter) {
            oracle.letter(letter);
        }
        if ((request instanceof Request.ApplySums sums && stuck.test(sums.item()))
                || (request instanceof Request.ApplyExtreme extreme && stuck.test(extreme.item()))) {
            return new Answer.TryAgain();
        }
        if (refusesDeferrals && request instanceof Request.ClaimMessages claim && claim.deferral()) {
            return new Answer.Refused(Reason.REFUSED, "the transaction is not valid");
        }
        return store.execute(request, holder);
    }

    /** Lets time pass while the writer does nothing. */
    public void sleep(long millis) {
        nowMillis += millis;
    }

    public List<Request> requests() {
        return List.copyOf(requests);
    }

    public <T extends Request> List<T> requests(Class<T> kind) {
        return requests.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    public Lane lane(int number) {
        return Objects.requireNonNull(store.lane(number));
    }

    public void put(Lane lane) {
        write("lane" + lane.number(), item -> {
            item.set("epoch", lane.epoch());
            item.set("beat", lane.beat());
            item.set("holder", lane.holder());
            item.set("position", lane.position());
            item.set("applied", lane.applied());
            item.set("format", (long) lane.format());
            item.set("watermarks", lane.watermarks());
            item.set("parkings", lane.parkings());
            item.set("damage", lane.damage());
        });
        oracle.acquired(lane);
    }

    /** Deletes a lane's item, behind its holder's back. */
    public void removeLane(int number) {
        table.remove("lane" + number);
    }

    /** Puts a record, as if it had been claimed on a lane. */
    public void put(int lane, long position, JournalRecord record) {
        write("record#" + lane + "#" + position + "#0", item -> {
            item.set("data", RecordCodec.encode(record));
            item.set("chunks", 1L);
        });
    }

    private void write(String key, Consumer<Item> action) {
        table.commit(table.prepare(List.of(new SimTable.Write(key, item -> true, action))));
    }

    /** Puts a bucket that has a lane's records up to a position. */
    public void put(BucketItem bucket, String measure, BigDecimal sum, int lane, long position) {
        write(SimStore.key(bucket), item -> {
            item.set(measure, sum);
            item.set("j" + lane, position);
        });
    }

    /** The sum of a bucket's measure; zero if there is none. */
    public BigDecimal sum(BucketItem item, String measure) {
        BigDecimal sum = table.get(SimStore.key(item)).<BigDecimal> get(measure);
        return sum == null ? BigDecimal.ZERO : sum;
    }

    /** Makes an item refuse everything but its position, or even that if {@code entirely}. */
    public void breakItem(BucketItem item, boolean entirely) {
        store.breakItem(item, entirely);
    }

    /** Checks that the buckets hold everything that was claimed, and nothing else. */
    public void checkBuckets() {
        oracle.checkBuckets();
    }
}
