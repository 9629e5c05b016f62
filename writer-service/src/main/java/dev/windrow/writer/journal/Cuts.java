package dev.windrow.writer.journal;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.RecentMap;
import dev.windrow.writer.journal.Request.Answer;
import dev.windrow.writer.record.ClaimId;

/**
 * The known cuts of minutes into slots. A cut is immutable until it expires, the retention of claims and up to a day after the
 * last claim through it. Not thread-safe.
 */
public final class Cuts {

    private static final int REMEMBERED = 10_000;
    public static final int MAX_SLOTS = 65_536;
    /** Time between attempts at a minute whose items cannot be read. */
    private static final long UNREADABLE_SECONDS = 300;
    private static final int MAX_ASKED = 64;
    /** Messages per minute from which on a claim of a lone writer covers several slots. */
    private static final int DENSE = 60_000;
    /** Number of ids that a slot of a dense minute should get: random arrivals waste less of 2 KB than of 1 KB. */
    private static final int DENSE_TARGET = 225;
    /** Lifetime beyond the retention, so that a cut need not be written with each claim. */
    private static final long SLACK_SECONDS = 86_400;

    private final long retentionSeconds;
    private final int slotTarget;
    private final Map<CutKey, SlotCount> known = new RecentMap<>(REMEMBERED);
    /** Claims of this writer by minute, which may be only a part of the minute's claims. */
    private final Map<CutKey, Density> claimed = new RecentMap<>(REMEMBERED);
    private final Set<CutKey> requested = new HashSet<>();
    /** Minutes whose items could not be read, with the time of the last attempt in seconds since the epoch. */
    private final Map<CutKey, Long> unreadable = new RecentMap<>(REMEMBERED);

    Cuts(long retentionSeconds, int slotTarget) {
        this.retentionSeconds = retentionSeconds;
        this.slotTarget = slotTarget;
    }

    /** Returns when a claim made now may be forgotten. */
    long expires(long nowSeconds) {
        return expires(nowSeconds, retentionSeconds);
    }

    /** Returns when an item written now may be forgotten. */
    public static long expires(long nowSeconds, long retentionSeconds) {
        return nowSeconds + retentionSeconds + SLACK_SECONDS;
    }

    /** Whether a cut or slot with this expiry outlives a claim made now. */
    boolean outlives(long expires, long nowSeconds) {
        return expires >= nowSeconds + retentionSeconds;
    }

    /** Returns the cut of an id's minute; null if it is not known, or would expire before a claim made now. */
    @Nullable
    SlotCount of(ClaimId id, long nowSeconds) {
        SlotCount cut = known.get(CutKey.of(id));
        return cut != null && outlives(cut.expires(), nowSeconds) ? cut : null;
    }

    /** Whether an id's minute is skipped for a while, as its items could not be read. */
    boolean isUnreadable(ClaimId id, long nowSeconds) {
        if (unreadable.isEmpty()) {
            return false;
        }
        Long since = unreadable.get(CutKey.of(id));
        return since != null && nowSeconds - since < UNREADABLE_SECONDS;
    }

    /** Notes that a minute's items cannot be read. Reports it once, until something of the minute can be claimed. */
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
     * Requests the cuts of the ids' minutes. If there are many, only of the first ones; of the others once these are known.
     *
     * @param writers number of writers that share the ids of a minute
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
            // Many ids of the minute itself tell more than the minute before, which may have had a much higher rate.
            Density before = density.isMany() ? null : claimed.get(key.before());
            long expected = writers * Math.max(density.perMinute(), before == null ? 0 : before.perMinute());
            boolean dense = writers == 1 && key.kind() == ClaimId.Kind.MESSAGE && expected >= DENSE;
            out.accept(new Request.CutSlots(key, slots(expected, dense ? DENSE_TARGET : slotTarget), expires(nowSeconds)));
        });
    }

    private static int slots(long ids, int target) {
        return (int) Math.max(1, Math.min(MAX_SLOTS, (ids + target - 1) / target));
    }

    void answer(CutKey key, Answer.Cut answer, long nowSeconds, Consumer<Request> out) {
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
     * The number of slots that a minute is cut into. Decided once, by the first claim of that minute, and kept in the table:
     * each redelivery must map to the same slot.
     *
     * @param expires when the table may forget it, in seconds since the epoch
     */
    record SlotCount(int slots, long expires) {
    }

    /** Estimates how many ids a minute will have, from those seen first. Not thread-safe. */
    static final class Density {

        /** Minimum span of ids: a few messages sent at once say nothing about a second. */
        private static final long SHORTEST_MILLIS = 1_000;
        /** Minimum span of many ids: a thousand are enough to tell the rate of a tenth of a second. */
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
         * Extrapolates the rate to a minute. Slots depend on time, so if fewer ids come, the slots in use still hold as many as
         * planned.
         */
        long perMinute() {
            return count * CutKey.MINUTE_MILLIS / Math.max(isMany() ? SHORTEST_MILLIS_OF_MANY : SHORTEST_MILLIS, last - first);
        }
    }

}
