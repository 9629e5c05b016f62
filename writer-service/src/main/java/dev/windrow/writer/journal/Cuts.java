package dev.windrow.writer.journal;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.RecentMap;
import dev.windrow.writer.journal.ClaimUnit.ClaimId;
import dev.windrow.writer.journal.Request.Answer;

/**
 * The cuts of minutes into slots, as far as they are known: immutable as long as they do not expire, which is the retention
 * of claims and up to a day after the last claim through them. Not thread-safe.
 */
public final class Cuts {

    private static final int REMEMBERED = 10_000;
    /** Into which a minute is cut at most. */
    public static final int MAX_SLOTS = 65_536;
    /** Between attempts at a minute whose items cannot be read. */
    private static final long UNREADABLE_SECONDS = 300;
    private static final int MAX_ASKED = 64;
    /** Minimum time by which a cut outlives what is claimed by it, so that it is not written with each claim. */
    private static final long SLACK_SECONDS = 86_400;

    private final long retentionSeconds;
    private final int slotTarget;
    private final Map<CutKey, SlotCount> known = new RecentMap<>(REMEMBERED);
    /** What this writer claimed of a minute, which may be only a part of it. */
    private final Map<CutKey, Density> claimed = new RecentMap<>(REMEMBERED);
    private final Set<CutKey> requested = new HashSet<>();
    /** Minutes whose items could not be read, and when, in seconds since the epoch. */
    private final Map<CutKey, Long> unreadable = new RecentMap<>(REMEMBERED);

    Cuts(long retentionSeconds, int slotTarget) {
        this.retentionSeconds = retentionSeconds;
        this.slotTarget = slotTarget;
    }

    /** When what is claimed now may be forgotten. */
    long expires(long nowSeconds) {
        return expires(nowSeconds, retentionSeconds);
    }

    /** When what is written now may be forgotten. */
    public static long expires(long nowSeconds, long retentionSeconds) {
        return nowSeconds + retentionSeconds + SLACK_SECONDS;
    }

    /** Whether something that leads to a claim that is made now outlives it. */
    boolean outlives(long expires, long nowSeconds) {
        return expires >= nowSeconds + retentionSeconds;
    }

    /** The cut of an id's minute; null if it is not known, or would expire before what is claimed now. */
    @Nullable
    SlotCount of(ClaimId id, long nowSeconds) {
        SlotCount cut = known.get(CutKey.of(id));
        return cut != null && outlives(cut.expires(), nowSeconds) ? cut : null;
    }

    /** Whether an id's minute is not to be looked at for a while, as its items could not be read. */
    boolean isUnreadable(ClaimId id, long nowSeconds) {
        if (unreadable.isEmpty()) {
            return false;
        }
        Long since = unreadable.get(CutKey.of(id));
        return since != null && nowSeconds - since < UNREADABLE_SECONDS;
    }

    /** A minute's items cannot be read. It is reported once, until something of the minute can be claimed. */
    void unreadable(CutKey key, String damage, long nowSeconds, Consumer<Request> out) {
        if (unreadable.put(key, nowSeconds) == null) {
            out.accept(new Request.ReportUnreadableClaims(key, damage));
        }
    }

    /** Whether cuts have been requested and are not known yet. */
    boolean isAsking() {
        return !requested.isEmpty();
    }

    /**
     * Requests the cuts of some ids' minutes, of the first ones if there are many; the others when these are known.
     *
     * @param writers among how many writers the ids of a minute are spread
     */
    void request(Iterable<ClaimId> ids, int writers, long nowSeconds, Consumer<Request> out) {
        Map<CutKey, Density> densities = new LinkedHashMap<>();
        for (ClaimId id : ids) {
            CutKey minute = CutKey.of(id);
            if (of(id, nowSeconds) == null && !isUnreadable(id, nowSeconds)
                    && (densities.size() < MAX_ASKED || densities.containsKey(minute))) {
                densities.computeIfAbsent(minute, key -> new Density()).add(id);
            }
        }
        densities.forEach((key, density) -> {
            requested.add(key);
            // Many of the minute itself say more than those before, which may have come much faster.
            Density before = density.isMany() ? null : claimed.get(key.before());
            long expected = writers * Math.max(density.perMinute(), before == null ? 0 : before.perMinute());
            out.accept(new Request.CutSlots(key, slots(expected), expires(nowSeconds)));
        });
    }

    private int slots(long ids) {
        return (int) Math.max(1, Math.min(MAX_SLOTS, (ids + slotTarget - 1) / slotTarget));
    }

    void answer(CutKey key, Answer.CutIs answer, long nowSeconds, Consumer<Request> out) {
        requested.remove(key);
        if (!answer.damage().isEmpty()) {
            unreadable(key, answer.damage(), nowSeconds, out);
            return;
        }
        known.put(key, new SlotCount(answer.slots(), answer.expires()));
    }

    void claimed(ClaimId id) {
        CutKey minute = CutKey.of(id);
        unreadable.remove(minute);
        claimed.computeIfAbsent(minute, key -> new Density()).add(id);
    }

    /**
     * How a minute is cut into slots. Decided once, by the first claim of that minute, and kept in the table: each redelivery
     * must map to the same slot.
     *
     * @param expires when the table may forget it, in seconds since the epoch
     */
    record SlotCount(int slots, long expires) {
    }

    /** A minute since the epoch whose claims share a cut into slots. */
    public record CutKey(ClaimId.Kind kind, long minute) {

        static final long MINUTE_MILLIS = 60_000;

        public static CutKey of(ClaimId id) {
            return new CutKey(id.kind(), Math.floorDiv(id.millis(), MINUTE_MILLIS));
        }

        CutKey before() {
            return new CutKey(kind, minute - 1);
        }
    }

    /** Estimates how many ids a minute will have, from those seen first. Not thread-safe. */
    static final class Density {

        /** A few messages sent at once say nothing about a second. */
        private static final long SHORTEST_MILLIS = 1_000;
        /** A thousand say that a tenth of it has as many. */
        private static final long SHORTEST_MILLIS_OF_MANY = 100;
        private static final int MANY = 1_000;

        private long count;
        private long first = Long.MAX_VALUE;
        private long last = Long.MIN_VALUE;

        void add(ClaimId id) {
            count++;
            first = Math.min(first, id.millis());
            last = Math.max(last, id.millis());
        }

        /** Whether there are enough for a good estimate of the rate. */
        boolean isMany() {
            return count >= MANY;
        }

        /**
         * As many as if they went on like this: as slots depend on time, those that are cut for more than come hold as many as
         * those that they were cut for.
         */
        long perMinute() {
            return count * CutKey.MINUTE_MILLIS / Math.max(isMany() ? SHORTEST_MILLIS_OF_MANY : SHORTEST_MILLIS, last - first);
        }
    }

}
