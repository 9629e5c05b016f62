package dev.windrow.writer.journal;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import dev.windrow.table.Lane;
import dev.windrow.table.LaneWatch;
import dev.windrow.writer.record.RecordCodec;

/**
 * Reads all lanes periodically, to find a free seat and work that others left, and acquires one lane at a time. Writers take
 * the lowest free number, so reading until a lane does not exist finds all. Not thread-safe.
 */
final class LaneTaker {

    private static final int FIRST_COUNT = 8;
    private static final long NO_RECORD = 0;
    /** Time between attempts to read an unreadable record. */
    private static final long LOOK_AGAIN_NANOS = Duration.ofMinutes(5).toNanos();

    /**
     * A lane that this writer cannot recover.
     *
     * @param applied the lane's applied position at that time
     * @param record the position of the record that cannot be read; {@link #NO_RECORD} if it is the lane's item
     * @param sinceNanos when the record was last looked for
     */
    private record Unreadable(long applied, long record, long sinceNanos) {

        /** Whether no other writer has made progress since. */
        boolean isOf(Lane lane) {
            return applied == lane.applied();
        }
    }

    private final String holder;
    private final long leaseNanos;
    private final long surveyNanos;
    private final LaneWatch watch;
    private final Map<Integer, Unreadable> unreadable = new HashMap<>();
    private List<Lane> lanes = List.of();
    private int count = FIRST_COUNT;
    private Request.@Nullable ReadLanes reading;
    private Request.@Nullable AcquireLane acquiring;
    private Request.@Nullable ReadRecord looking;
    private long surveyAtNanos;
    /** Since when lanes have been read without a gap as long as a lease. */
    private long watchingSinceNanos;
    private boolean surveyed;
    private int taken;
    private int abandoned;
    /** Whether it was reported that no lane is free. */
    private boolean noneFree;
    private long begunNanos;

    LaneTaker(String holder, long leaseNanos) {
        this.holder = holder;
        this.leaseNanos = leaseNanos;
        this.surveyNanos = leaseNanos / 4;
        this.watch = new LaneWatch(leaseNanos);
    }

    /** How many lanes are held, as last seen; at least one. */
    int writers() {
        return Math.max(1, (int) lanes.stream().filter(Lane::isHeld).count());
    }

    /** How many lanes have work that no writer does, as last seen. */
    int abandoned() {
        return abandoned;
    }

    /** How many lanes another writer cannot take as its seat, as last seen. */
    int taken() {
        return taken;
    }

    long begunNanos() {
        return begunNanos;
    }

    boolean isAcquiring() {
        return acquiring != null;
    }

    /**
     * Ignores a lane that this writer cannot recover, until another writer makes progress with it or the record can be read.
     */
    void giveUp(int lane, long applied, long record, long nowNanos) {
        unreadable.put(lane, new Unreadable(applied, record, nowNanos));
    }

    /**
     * Checks periodically whether an unreadable record can be read: a replica may get it later than the lane's item. Does not
     * acquire the lane for that, so that it shows as abandoned meanwhile.
     */
    void lookAgain(long nowNanos, Consumer<Request> out) {
        for (Lane lane : lanes) {
            Unreadable given = unreadable.get(lane.number());
            if (looking == null && given != null && given.isOf(lane) && given.record != NO_RECORD
                    && nowNanos - given.sinceNanos >= LOOK_AGAIN_NANOS) {
                looking = new Request.ReadRecord(lane.number(), given.record);
                out.accept(looking);
            }
        }
    }

    boolean looksFor(Request.ReadRecord request) {
        return request.equals(looking);
    }

    void looked(boolean readable, long nowNanos) {
        Request.ReadRecord looked = looking;
        looking = null;
        Unreadable given = looked == null ? null : unreadable.get(looked.lane());
        if (looked == null || given == null || given.record != looked.position()) {
            return;
        }
        if (readable) {
            unreadable.remove(looked.lane());
        } else {
            giveUp(looked.lane(), given.applied, given.record, nowNanos);
        }
    }

    /** Reads all lanes when due: at once if the last reading is out of date, and more often while a seat is needed. */
    void survey(long nowNanos, boolean seatNeeded, Consumer<Request> out) {
        boolean due = !surveyed || nowNanos - surveyAtNanos >= (seatNeeded ? surveyNanos / 8 : surveyNanos);
        if (reading == null && acquiring == null && due) {
            reading = new Request.ReadLanes(count);
            out.accept(reading);
        }
    }

    void read(Request.ReadLanes request, List<Lane> read, long nowNanos) {
        if (!request.equals(reading)) {
            return;
        }
        reading = null;
        if (lanes.isEmpty() || nowNanos - surveyAtNanos >= leaseNanos) {
            watchingSinceNanos = nowNanos;
        }
        watch.see(read, nowNanos);
        lanes = read;
        taken = (int) read.stream().filter(lane -> !watch.isFree(lane, nowNanos)).count();
        abandoned = (int) read.stream().filter(lane -> watch.isAbandoned(lane, nowNanos)).count();
        // Numbers may have gaps, as items can be lost.
        int highest = read.stream().mapToInt(Lane::number).max().orElse(-1);
        boolean more = highest == count - 1 && count < Lane.MAX_LANES;
        count = Math.min(Lane.MAX_LANES, more ? 2 * count : Math.max(FIRST_COUNT, highest + 2));
        surveyed = !more;
        surveyAtNanos = nowNanos;
    }

    /**
     * Acquires a seat for this writer.
     *
     * @param ours whether this writer holds a lane: one that it recovers may be free before it knows that it released it
     */
    void acquireSeat(IntPredicate ours, Now now, Consumer<Request> out) {
        if (acquiring != null || reading != null || !surveyed) {
            return;
        }
        for (Lane lane : lanes) {
            if (!ours.test(lane.number()) && watch.isFree(lane, now.nanos())) {
                acquireFree(lane, now.nanos(), out);
                return;
            }
        }
        OptionalInt free = IntStream.range(0, Lane.MAX_LANES)
                .filter(number -> lanes.stream().noneMatch(lane -> lane.number() == number)).findFirst();
        if (free.isPresent()) {
            // Beyond the positions of any lane whose item was lost: a lane assigns fewer than a thousand per second.
            acquire(free.getAsInt(), 0, 0, Math.max(Lane.GAP, now.millis()), now.nanos(), out);
            return;
        }
        if (!noneFree) {
            noneFree = true;
            out.accept(new Request.ReportLane(-1, Request.ReportLane.Event.NONE_FREE));
        }
    }

    void acquireAbandoned(IntPredicate ours, long nowNanos, Consumer<Request> out) {
        if (acquiring != null || reading != null || !surveyed) {
            return;
        }
        for (Lane lane : lanes) {
            Unreadable given = unreadable.get(lane.number());
            boolean candidate = !ours.test(lane.number()) && (given == null || !given.isOf(lane));
            if (candidate && watch.isAbandoned(lane, nowNanos)) {
                String obstacle = obstacle(lane);
                if (obstacle.isEmpty()) {
                    acquire(lane.number(), lane.epoch(), lane.beat(), 0, nowNanos, out);
                    return;
                }
                giveUp(lane.number(), lane.applied(), NO_RECORD, nowNanos);
                out.accept(new Request.ReportUnreadable(lane.number(), NO_RECORD, obstacle));
            }
        }
    }

    /**
     * Acquires a lane whose holder went silent without work, only to release it: a starting writer does not know that the
     * holder is gone, and would take one more. Not until a lease after reads failed for a lease: writes may have failed, too.
     */
    void acquireLeft(IntPredicate ours, long nowNanos, Consumer<Request> out) {
        if (acquiring != null || reading != null || !surveyed || nowNanos - watchingSinceNanos < leaseNanos) {
            return;
        }
        for (Lane lane : lanes) {
            if (lane.isHeld() && watch.isFree(lane, nowNanos) && !ours.test(lane.number())) {
                acquireFree(lane, nowNanos, out);
                return;
            }
        }
    }

    private void acquireFree(Lane lane, long nowNanos, Consumer<Request> out) {
        acquire(lane.number(), lane.epoch(), lane.beat(), lane.position() + Lane.GAP, nowNanos, out);
    }

    /** Returns why a lane cannot be recovered, as far as its item shows; empty if it can. */
    private static String obstacle(Lane lane) {
        return lane.format() > RecordCodec.DEFERRED_FORMAT
                ? "expected records of format " + RecordCodec.DEFERRED_FORMAT + " at most, found " + lane.format()
                : lane.damage();
    }

    private void acquire(int lane, long epoch, long beat, long position, long nowNanos, Consumer<Request> out) {
        begunNanos = nowNanos;
        acquiring = new Request.AcquireLane(lane, epoch, beat, holder, position);
        out.accept(acquiring);
    }

    /** Takes the answer to an acquisition; returns whether this writer has acquired the lane. */
    boolean acquired(Request.AcquireLane request, Lane lane) {
        if (!request.equals(acquiring)) {
            return false;
        }
        acquiring = null;
        noneFree = false;
        // The last reading is outdated now.
        surveyed = false;
        return lane.epoch() == request.epoch() && lane.holder().equals(holder);
    }
}
