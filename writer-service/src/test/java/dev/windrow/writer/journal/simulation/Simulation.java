package dev.windrow.writer.journal.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;

import org.jspecify.annotations.Nullable;

import dev.windrow.table.Lane;
import dev.windrow.time.Granularity;
import dev.windrow.writer.journal.ClaimLimits;
import dev.windrow.writer.journal.JournalMessage;
import dev.windrow.writer.journal.JournalSettings;
import dev.windrow.writer.journal.JournalStatus;
import dev.windrow.writer.journal.JournalWriter;
import dev.windrow.writer.journal.MemoryShortage;
import dev.windrow.writer.journal.Now;
import dev.windrow.writer.journal.Request;
import dev.windrow.writer.journal.Request.Answer;
import dev.windrow.writer.journal.WriteEvery;
import dev.windrow.writer.journal.simulation.SimTable.Prepared;
import dev.windrow.writer.journal.simulation.SimTable.Result;
import dev.windrow.writer.journal.simulation.Statistics.Seen;
import dev.windrow.writer.journal.simulation.Traffic.SimMessage;
import dev.windrow.writer.record.Addition;
import dev.windrow.writer.record.BucketItem;
import dev.windrow.writer.record.ClaimId;
import dev.windrow.writer.record.ClaimUnit;
import dev.windrow.writer.testing.Answering;
import dev.windrow.writer.testing.TestMessage;

/**
 * One run in virtual time, all of it drawn from one seed: first a storm, in which writers are killed, stopped, drained and
 * started and requests and answers get lost or late; then calm, in which everything must come to rest with exact buckets.
 */
final class Simulation {

    private static final long LEASE_MILLIS = 2_000;
    private static final long TICK_MILLIS = 100;
    private static final long TIMEOUT_MILLIS = 400;
    private static final long CALM_MILLIS = 600_000;
    private static final long DRAIN_MILLIS = 4_000;
    private static final long START_MILLIS = 1_790_000_000_000L;
    private static final int MAX_MESSAGES = 40;
    /**
     * Maximum number of pending tries of a request: one that meets conflict after conflict must not fill the world with them.
     */
    private static final int MAX_TIMEOUTS = 16;
    private static final int MAX_CELLS = 60;
    /** Longer than the time-out, so that a transaction that is sent again meets itself; much shorter than the lease. */
    private static final long MAX_COMMIT_MILLIS = 900;

    private final SplittableRandom random;
    /** Draws which transactions are committed slowly; separate, so that {@link #random} draws the same as without them. */
    private final SplittableRandom commits;
    private final double slowCommits;
    /** Draws what throttled items do; separate for the same reason. */
    private final SplittableRandom throttles;
    /** The times when some items take no update. */
    private final List<Stall> stalls = new ArrayList<>();
    /** Whether a transaction that meets another one learns nothing about any of its items. */
    private final boolean whole;
    private final Scenario scenario;
    private final Mutation mutation;
    private final SimTable table = new SimTable();
    private final Traffic traffic;
    private final Oracle oracle;
    private final SimStore store;
    private final PriorityQueue<Event> events = new PriorityQueue<>(
            Comparator.comparingLong(Event::at).thenComparingLong(Event::number));
    private final List<SimMessage> queue = new ArrayList<>();
    private final List<SimWriter> writers = new ArrayList<>();
    private final Map<Long, Request.SendParked> letters = new HashMap<>();
    private final Set<ClaimId> unclaimable = new HashSet<>();
    private final Statistics statistics = new Statistics();
    private long now;
    private long eventNumber;
    private int writerNumber;
    private int target;
    private int version;
    private boolean storm = true;
    /** The holder of the lane whose item was deleted: only it can notice. */
    private @Nullable SimWriter bereft;
    /** Number of acquisitions in flight: one that was sent before a lane's item is deleted would restore it. */
    private final int namedIds;
    private int acquisitions;

    private record Event(long at, long number, Runnable action) {
    }

    /** A time during which one of {@code every} items takes no update. */
    private record Stall(long from, long until, int salt, int every) {

        boolean stops(BucketItem item, long time) {
            return from <= time && time < until && Math.floorMod(item.hashCode() + salt, every) == 0;
        }
    }

    private Simulation(long seed, Mutation mutation, boolean brief, boolean whole) {
        this.random = new SplittableRandom(seed);
        this.commits = new SplittableRandom(~seed);
        this.slowCommits = whole || Scenario.chance(commits, 0.3) ? 0 : 0.2 * commits.nextDouble();
        this.throttles = new SplittableRandom(seed * 31 + 7);
        this.whole = whole;
        this.namedIds = whole || seed % 2 == 0 ? 140 : 1 + (int) (seed / 2 % 12);
        this.scenario = new Scenario(random, brief);
        this.mutation = mutation;
        this.traffic = new Traffic(random, scenario);
        this.oracle = new Oracle(table, traffic.units());
        this.store = new SimStore(table, oracle, mutation);
        for (int i = throttles.nextInt(4); i > 0; i--) {
            long from = throttles.nextLong(scenario.stormMillis);
            stalls.add(
                    new Stall(from, from + throttles.nextLong(1_000, 10_000), throttles.nextInt(), throttles.nextInt(2, 12)));
        }
    }

    enum World {
        USUAL,
        /** Each transaction is committed to all its items at once. */
        WHOLE,
        /** A shorter storm and fewer messages: much cheaper, and many brief runs find more than fewer long ones. */
        BRIEF,
        /** Some items are denied until they are mended. */
        DENYING,
        /** The item of a lane is deleted while its holder runs: buckets are exact anyway, or a writer has stopped. */
        FORGETTING
    }

    /** Runs a seed; throws an {@link AssertionError} if something is wrong. */
    static Statistics run(long seed, World world, Mutation mutation) {
        Simulation simulation = new Simulation(seed, mutation, world == World.BRIEF, world == World.WHOLE);
        if (world == World.DENYING) {
            simulation.store.deny();
        } else if (world == World.FORGETTING) {
            long time = new SplittableRandom(seed ^ 0x5DEECE66DL).nextLong(simulation.scenario.stormMillis);
            simulation.at(time, simulation::forget);
        }
        try {
            simulation.run();
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("seed " + seed + " at " + simulation.now + " ms: " + e, e);
        }
        return simulation.statistics;
    }

    private void run() {
        for (int i = 0; i < scenario.messages; i++) {
            long sent = random.nextLong(scenario.stormMillis * 3 / 4);
            SimMessage message = traffic.message(i, START_MILLIS + sent, sent);
            message.unitsByVersion.get(0).forEach(unit -> oracle.expect(unit.id()));
            queue.add(message);
        }
        breakItems();
        for (ClaimId id : traffic.units().keySet()) {
            if (Scenario.chance(random, scenario.unclaimable)) {
                store.refuse(id.hash());
                unclaimable.add(id);
            }
        }
        target = random.nextInt(0, scenario.maxWriters + 1);
        at(0, this::scale);
        at(scenario.stormMillis, this::calm);
        while (!events.isEmpty()) {
            Event event = events.remove();
            now = event.at;
            guarded(event.action);
        }
        if (statistics.of(Seen.STOPPED) == 0) {
            oracle.checkAllClaimed(unclaimable);
            oracle.checkBuckets();
        }
    }

    private void forget() {
        SimWriter holder = writers.stream().filter(this::holdsItsLane).findFirst().orElse(null);
        if (holder == null || isBeingAcquired() || !store.forget(holder.core.status().lane())) {
            if (storm) {
                at(now + 50, this::forget);
            }
            return;
        }
        statistics.count(Seen.FORGOTTEN);
        bereft = holder;
        oracle.forget(holder.core.status().lane());
    }

    private boolean isBeingAcquired() {
        return acquisitions > 0 || writers.stream().flatMap(writer -> writer.open.stream())
                .anyMatch(Request.AcquireLane.class::isInstance);
    }

    private boolean holdsItsLane(SimWriter writer) {
        int number = writer.core.status().lane();
        Lane lane = number < 0 ? null : store.lane(number);
        return lane != null && lane.holder().equals(writer.holder) && writer.alive && !writer.draining
                && writer.pausedUntil <= now;
    }

    /** Runs an action. A writer that stops because of a deleted item ends the run, as an operator has to act. */
    private void guarded(Runnable action) {
        try {
            action.run();
        } catch (IllegalStateException e) {
            if (bereft == null) {
                throw e;
            }
            statistics.count(Seen.STOPPED);
            events.clear();
        }
    }

    private void at(long time, Runnable action) {
        events.add(new Event(time, eventNumber++, action));
    }

    private boolean chance(double probability) {
        return storm && Scenario.chance(random, probability);
    }

    private void breakItems() {
        List<ClaimUnit> units = new ArrayList<>();
        traffic.units().values().forEach(units::addAll);
        for (ClaimUnit unit : units) {
            for (Addition addition : unit.additions()) {
                if (Scenario.chance(random, scenario.poisoned * 0.1)) {
                    store.breakItem(addition.item(), false);
                }
            }
        }
    }

    // the fleet

    private void scale() {
        if (!storm) {
            return;
        }
        oracle.checkAsOf(lanes(), START_MILLIS + now);
        if (random.nextInt(3) == 0) {
            target = random.nextInt(0, scenario.maxWriters + 1);
        }
        if (scenario.datasetChanges && random.nextInt(4) == 0) {
            version = 1 - version;
            statistics.count(Seen.DATASET_CHANGES);
        }
        writers.removeIf(writer -> !writer.alive);
        int running = (int) writers.stream().filter(writer -> !writer.draining).count();
        for (; running < target; running++) {
            start();
        }
        for (SimWriter writer : List.copyOf(writers)) {
            if (running > target && !writer.draining) {
                running--;
                drain(writer);
            }
        }
        statistics.maxWriters = Math.max(statistics.maxWriters, writers.size());
        statistics.count(Seen.EMPTY_FLEETS, writers.isEmpty());
        at(now + random.nextLong(200, 3_000), this::scale);
    }

    private void start() {
        SimWriter writer = new SimWriter(settings("writer-" + writerNumber++), version);
        oracle.writer(writer.holder, writer.version);
        writers.add(writer);
        tick(writer);
    }

    private void drain(SimWriter writer) {
        statistics.count(Seen.DRAINS);
        writer.draining = true;
        writer.core.drain();
        at(now + DRAIN_MILLIS, () -> {
            if (storm && writer != bereft) {
                writer.alive = false;
            }
        });
    }

    private JournalSettings settings(String holder) {
        ClaimLimits limits = new ClaimLimits(random.nextInt(500, 5_000), 100, 40, random.nextInt(1, 40), scenario.slotFullAt,
                scenario.slotTarget, namedIds);
        return new JournalSettings(holder, Duration.ofMillis(300), Duration.ofMillis(LEASE_MILLIS), Duration.ofDays(15),
                Duration.ofMillis(1_500), random.nextInt(1, 12), MAX_CELLS, scenario.maxRecords, limits,
                Duration.ofSeconds(3), new WriteEvery(Map.of(Granularity.MINUTE, Duration.ofMillis(300), Granularity.HOUR,
                        Duration.ofMillis(7_000), Granularity.DAY, Duration.ofMillis(9_000))),
                Duration.ofMillis(1_200), Duration.ofMillis(1_000));
    }

    /** Ends the faults: sleeping writers wake, at least one writer runs, broken items are mended. */
    private void calm() {
        storm = false;
        at(now + 1_000, store::mend);
        writers.removeIf(writer -> !writer.alive);
        if (writers.stream().noneMatch(writer -> !writer.draining)) {
            start();
        }
        at(now + 1_000, this::rest);
    }

    /** Waits for rest, then drains all writers. */
    private void rest() {
        Oracle.check(now < scenario.stormMillis + CALM_MILLIS, () -> "no rest: " + describe());
        writers.removeIf(writer -> !writer.alive);
        boolean rest = queue.stream().allMatch(message -> message.deleted) && letters.isEmpty() && lanes().stream()
                .noneMatch(Lane::hasWork);
        if (!rest) {
            new ArrayList<>(letters.keySet()).forEach(this::replay);
            at(now + 500, this::rest);
            return;
        }
        for (SimWriter writer : writers) {
            if (!writer.draining) {
                drain(writer);
            }
        }
        at(now + 500, this::end);
    }

    private void end() {
        Oracle.check(now < scenario.stormMillis + CALM_MILLIS, () -> "no end: " + describe());
        writers.removeIf(writer -> !writer.alive);
        if (!writers.isEmpty()) {
            at(now + 500, this::end);
        }
        if (writers.isEmpty() && lanes().stream().anyMatch(lane -> lane.hasWork())) {
            throw new AssertionError("lanes with work after the end: " + lanes());
        }
    }

    private List<Lane> lanes() {
        List<Lane> lanes = new ArrayList<>();
        for (int i = 0; i < Lane.MAX_LANES; i++) {
            Lane lane = store.lane(i);
            if (lane != null) {
                lanes.add(lane);
            }
        }
        return lanes;
    }

    private String describe() {
        StringBuilder text = new StringBuilder();
        for (SimWriter writer : writers) {
            text.append('\n').append(writer.holder).append(writer.draining ? " draining " : " ").append(writer.core.status())
                    .append(" open ").append(writer.open);
        }
        return text + "\n" + lanes() + "\nletters " + letters.size() + "\nqueue "
                + queue.stream().filter(message -> !message.deleted).map(message -> message.id).toList();
    }

    // a writer

    private void tick(SimWriter writer) {
        if (!writer.alive) {
            return;
        }
        if (now < writer.pausedUntil && storm) {
            at(writer.pausedUntil, () -> tick(writer));
            return;
        }
        if (writer.draining && writer.core.isDrained()) {
            writer.alive = false;
            return;
        }
        receive(writer);
        step(writer);
        at(now + TICK_MILLIS, () -> tick(writer));
    }

    private void step(SimWriter writer) {
        if (chance(scenario.crash * 20) && writer != bereft) {
            statistics.count(Seen.CRASHES);
            writer.alive = false;
            return;
        }
        if (chance(scenario.pause * 20) && writer != bereft) {
            statistics.count(Seen.PAUSES);
            writer.pausedUntil = now + random.nextLong(100, 4 * LEASE_MILLIS);
        }
        boolean full = writer.messages.size() >= MAX_MESSAGES;
        writer.core.tick(moment(), new MemoryShortage(full, full, full));
        JournalStatus status = writer.core.status();
        Oracle.check(status.records() <= 2 * scenario.maxRecords + 64, () -> "too many records: " + status);
        Oracle.check(status.cells() <= 2 * MAX_CELLS + 2 * 40 * 9, () -> "too many cells: " + status);
        for (Request request = writer.core.poll(); request != null; request = writer.core.poll()) {
            take(writer, request);
        }
    }

    private Now moment() {
        return new Now(now * 1_000_000, START_MILLIS + now);
    }

    private void take(SimWriter writer, Request request) {
        if (request instanceof Request.ReportClaimed claimed) {
            requireClaimed(writer, claimed.message());
        } else if (request instanceof Request.DeleteMessage delete) {
            delete(writer, delete.message());
        } else if (request instanceof Request.RefuseMessage refuse) {
            statistics.count(Seen.UNCLAIMABLE);
            writer.refused.add(refuse.message());
        } else if (request instanceof Request.ReportUnreadable) {
            throw new AssertionError("unreadable: " + request);
        } else if (!(request instanceof Request.Report)) {
            writer.open.add(request);
            send(writer, request);
        }
    }

    private void send(SimWriter writer, Request request) {
        if (request instanceof Request.SendParked letter) {
            send(writer, request, () -> {
                statistics.count(Seen.LETTERS);
                if (!oracle.letter(letter) || random.nextInt(4) == 0) {
                    letters.put(letter.id().hash(), letter);
                    at(now + random.nextLong(1_000, 20_000), () -> replay(letter.id().hash()));
                }
            });
        } else if (mutation == Mutation.OUT_OF_ORDER && request instanceof Request.ApplySums) {
            attempt(writer, request);
            answer(writer, request, Answer.DONE);
        } else {
            attempt(writer, request);
        }
    }

    private static SimWriter.Delivery delivery(SimWriter writer, JournalMessage message) {
        return Objects.requireNonNull(writer.messages.get(message));
    }

    // the network

    /** Sends a request, repeatedly until it is answered. */
    private void attempt(SimWriter writer, Request request) {
        boolean mutated = mutation == Mutation.OUT_OF_ORDER && request instanceof Request.ApplySums;
        if (!writer.alive || (!writer.open.contains(request) && !mutated)) {
            return;
        }
        long delay = random.nextLong(1, 30);
        if (chance(scenario.late)) {
            statistics.count(Seen.LATE);
            delay = random.nextLong(100, 5 * LEASE_MILLIS);
        }
        if (!chance(scenario.lost)) {
            boolean acquisition = request instanceof Request.AcquireLane;
            acquisitions += acquisition ? 1 : 0;
            at(now + delay, () -> {
                acquisitions -= acquisition ? 1 : 0;
                arrive(writer, request);
            });
        }
        long timeout = now + TIMEOUT_MILLIS + random.nextLong(100);
        if (writer.timeouts.merge(request, 1, Integer::sum) > MAX_TIMEOUTS) {
            writer.timeouts.merge(request, -1, Integer::sum);
            return;
        }
        at(timeout, () -> {
            writer.timeouts.merge(request, -1, Integer::sum);
            if (writer.open.contains(request)) {
                attempt(writer, request);
            }
        });
    }

    /** Lets a request reach the table, even if nobody waits for it any more. */
    private void arrive(SimWriter writer, Request request) {
        if (isStalled(request) || chance(scenario.throttled)) {
            notYet(writer, request);
            return;
        }
        Prepared prepared = table.prepare(store.writes(request));
        if (whole ? prepared.has(Result.CONFLICT) : store.isUndecided(prepared)) {
            statistics.count(Seen.CONFLICTS);
            statistics.count(Seen.HALF_COMMITTED, prepared.has(Result.CONDITION));
            at(now + random.nextLong(5, 50), () -> attempt(writer, request));
            return;
        }
        if (prepared.writes().size() < 2) {
            execute(writer, request, prepared);
            return;
        }
        table.lock(prepared);
        at(now + random.nextLong(1, 15), () -> execute(writer, request, prepared));
    }

    private boolean isStalled(Request request) {
        BucketItem item = request instanceof Request.ApplySums sums ? sums.item()
                : request instanceof Request.ApplyExtreme extreme ? extreme.item() : null;
        return item != null && stalls.stream().anyMatch(stall -> stall.stops(item, now));
    }

    /** Answers half of the updates that a bucket's item does not take. */
    private void notYet(SimWriter writer, Request request) {
        boolean update = request instanceof Request.ApplySums || request instanceof Request.ApplyExtreme;
        if (update && throttles.nextBoolean()) {
            statistics.count(Seen.NOT_YET);
            at(now + throttles.nextLong(1, 20), () -> answer(writer, request, new Answer.TryAgain()));
        }
    }

    private void execute(SimWriter writer, Request request, Prepared prepared) {
        long end = now;
        if (!store.takes(request, prepared, writer.holder)) {
            table.unlock(prepared);
        } else if (prepared.writes().size() > 1 && storm && Scenario.chance(commits, slowCommits)) {
            end = commitApart(prepared);
        } else {
            table.commit(prepared);
        }
        Answer answer = store.answer(request, prepared);
        count(request, answer);
        if (!chance(scenario.lost)) {
            at(end + random.nextLong(1, 20), () -> answer(writer, request, answer));
        }
    }

    /** Commits each item at a time of its own; returns the last time. */
    private long commitApart(Prepared prepared) {
        long end = now;
        for (int i = 0; i < prepared.writes().size(); i++) {
            int number = i;
            long time = now + commits.nextLong(1, MAX_COMMIT_MILLIS);
            at(time, () -> table.commit(prepared, number));
            end = Math.max(end, time);
        }
        return end;
    }

    private void count(Request request, Answer answer) {
        statistics.count(Seen.DENIED, answer instanceof Answer.Denied);
        if (request instanceof Request.ClaimMessages claim) {
            statistics.count(Seen.CLAIMS, answer instanceof Answer.Done);
            statistics.count(Seen.REFUSED_CLAIMS, !(answer instanceof Answer.Done));
            statistics.count(Seen.DEFERRALS, claim.deferral() && answer instanceof Answer.Done);
        }
        if (request instanceof Request.AcquireLane acquire && answer instanceof Answer.LaneIs is && is.lane().hasWork()
                && is.lane().epoch() == acquire.epoch()) {
            statistics.count(Seen.RECOVERIES);
            statistics.count(Seen.RECOVERED_DEFERRALS, is.lane().deferred() > is.lane().applied());
        }
        if (request instanceof Request.LaneWrite write && answer instanceof Answer.LaneIs is
                && is.lane().epoch() != write.update().epoch()) {
            statistics.count(Seen.FENCED);
        }
        if (request instanceof Request.ApplySums sums && answer instanceof Answer.AppliedUpTo applied
                && applied.position() >= sums.first() && applied.position() < sums.last()) {
            statistics.count(Seen.PARTIAL);
        }
    }

    private void answer(SimWriter writer, Request request, Answer answer) {
        if (!writer.alive || !writer.open.contains(request)) {
            return;
        }
        if (now < writer.pausedUntil && storm) {
            at(writer.pausedUntil, () -> answer(writer, request, answer));
            return;
        }
        writer.open.remove(request);
        Answering.answer(writer.core, request, answer, moment());
        step(writer);
    }

    // the queues

    private void receive(SimWriter writer) {
        int room = writer.draining ? 0 : Math.min(10, MAX_MESSAGES - writer.messages.size());
        for (int i = 0; i < queue.size() && room > 0; i++) {
            SimMessage message = queue.get(random.nextInt(queue.size()));
            boolean visible = !message.deleted && message.visibleAt <= now;
            boolean again = !message.deleted && message.visibleAt <= now + scenario.visibilityMillis
                    && message.visibleAt > scenario.visibilityMillis && chance(scenario.receivedTwice);
            if (visible || again) {
                room--;
                message.visibleAt = now + scenario.visibilityMillis;
                JournalMessage received = new TestMessage(message.unitsByVersion.get(writer.version));
                writer.messages.put(received, new SimWriter.Delivery(message, received.units()));
                if (mutation == Mutation.DELETE_BEFORE_CLAIM) {
                    message.deleted = true;
                }
                writer.core.receive(received, moment());
            }
        }
    }

    private void requireClaimed(SimWriter writer, JournalMessage message) {
        SimWriter.Delivery delivery = delivery(writer, message);
        boolean safe = writer.refused.contains(message)
                || delivery.units().stream().allMatch(unit -> oracle.isClaimed(unit.id()));
        Oracle.check(safe, () -> delivery.message().id + " is taken for claimed, and is not");
    }

    private void delete(SimWriter writer, JournalMessage claimed) {
        SimMessage message = delivery(writer, claimed).message();
        requireClaimed(writer, claimed);
        writer.messages.remove(claimed);
        boolean refused = writer.refused.remove(claimed);
        boolean lost = chance(scenario.deleteLost);
        at(now + random.nextLong(1, 50), () -> {
            message.letterSent |= refused;
            message.deleted |= !lost;
        });
    }

    /** Sends to the dead-letter queue, repeatedly until the letter is known to be there. */
    private void send(SimWriter writer, Request request, Runnable arrival) {
        if (!writer.alive || !writer.open.contains(request)) {
            return;
        }
        if (!chance(scenario.lost)) {
            at(now + random.nextLong(1, 50), arrival);
            if (!chance(scenario.lost)) {
                at(now + random.nextLong(51, 80), () -> answer(writer, request, Answer.DONE));
            }
        }
        at(now + TIMEOUT_MILLIS, () -> send(writer, request, arrival));
    }

    /** Replays parked additions, as an operator does. */
    private void replay(long hash) {
        Request.SendParked letter = letters.remove(hash);
        if (letter == null) {
            return;
        }
        statistics.count(Seen.REPLAYS);
        BucketItem item = letter.item();
        ClaimUnit unit = new ClaimUnit(letter.id(), List.of(new Addition(item, letter.granularity(), letter.changes())));
        oracle.expect(letter.id());
        queue.add(new SimMessage("letter-" + hash, List.of(List.of(unit), List.of(unit)), now));
    }

    /** One process: it lives until it is killed or drained, and may sleep meanwhile. */
    static final class SimWriter {

        final String holder;
        final int version;
        final JournalWriter core;
        /** Requests without a definite answer. */
        final Set<Request> open = Collections.newSetFromMap(new IdentityHashMap<>());
        /** Number of tries of each request that wait for their time-out. */
        final Map<Request, Integer> timeouts = new IdentityHashMap<>();
        final Map<JournalMessage, Delivery> messages = new IdentityHashMap<>();
        final Set<JournalMessage> refused = Collections.newSetFromMap(new IdentityHashMap<>());
        boolean alive = true;
        boolean draining;
        long pausedUntil;

        record Delivery(SimMessage message, List<ClaimUnit> units) {
        }

        SimWriter(JournalSettings settings, int version) {
            this.holder = settings.holder();
            this.version = version;
            this.core = new JournalWriter(settings);
        }
    }
}
