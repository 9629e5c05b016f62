package dev.windrow.writer.journal.claim;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.windrow.writer.journal.request.Answer;
import dev.windrow.writer.journal.request.Request;

/**
 * The cuts of minutes into slots, as far as they are known: immutable as long as they do not expire. Not thread-safe.
 */
final class Cuts {

    private static final int REMEMBERED = 10_000;
    private static final int MAX_SLOTS = 4_096;
    private static final int MAX_ASKED = 64;
    /** A cut outlives what is claimed by it at least that long, so that it need not be written with each claim. */
    private static final long SLACK_SECONDS = 86_400;

    private final long retentionSeconds;
    private final int slotTarget;
    private final Map<CutKey, Cut> known = new Recent<>(REMEMBERED);
    /** How many ids of a minute this writer claimed. */
    private final Map<CutKey, Integer> claimed = new Recent<>(REMEMBERED);
    private final Set<CutKey> asked = new HashSet<>();

    Cuts(long retentionSeconds, int slotTarget) {
        this.retentionSeconds = retentionSeconds;
        this.slotTarget = slotTarget;
    }

    /** When what is claimed now may be forgotten. */
    long expires(long nowSeconds) {
        return nowSeconds + retentionSeconds + SLACK_SECONDS;
    }

    /** Whether something that leads to a claim that is made now outlives it. */
    boolean outlives(long expires, long nowSeconds) {
        return expires >= nowSeconds + retentionSeconds;
    }

    /** The cut of a minute; null if it is not known, or would expire before what is claimed now. */
    @Nullable
    Cut of(CutKey key, long nowSeconds) {
        Cut cut = known.get(key);
        return cut != null && outlives(cut.expires(), nowSeconds) ? cut : null;
    }

    /**
     * Asks for the cuts of some ids' minutes, unless that is under way; of the first ones, if there are many.
     *
     * @param writers among how many writers the ids of a minute are spread
     */
    void ask(Iterable<ClaimId> ids, int writers, long nowSeconds, Consumer<Request> out) {
        Map<CutKey, Integer> counts = new LinkedHashMap<>();
        for (ClaimId id : ids) {
            CutKey key = CutKey.of(id);
            boolean wanted = counts.containsKey(key) || asked.size() + counts.size() < MAX_ASKED;
            if (wanted && !asked.contains(key) && of(key, nowSeconds) == null) {
                counts.merge(key, 1, Integer::sum);
            }
        }
        counts.forEach((key, count) -> {
            asked.add(key);
            int before = claimed.getOrDefault(key.before(), 0);
            long expected = (long) writers * Math.max(count, before);
            out.accept(new Request.CutSlots(key, slots(expected), expires(nowSeconds)));
        });
    }

    private int slots(long ids) {
        long wanted = Math.min(MAX_SLOTS, ids / slotTarget);
        return wanted <= 1 ? 1 : Math.min(MAX_SLOTS, Integer.highestOneBit((int) wanted - 1) * 2);
    }

    void answer(CutKey key, Answer.CutIs answer) {
        asked.remove(key);
        known.put(key, new Cut(answer.slots(), answer.expires()));
    }

    /** Counts an id that was claimed. */
    void claimed(ClaimId id) {
        claimed.merge(CutKey.of(id), 1, Integer::sum);
    }
}
