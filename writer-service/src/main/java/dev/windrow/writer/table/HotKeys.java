package dev.windrow.writer.table;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.LogKey;
import dev.windrow.base.Reason;
import dev.windrow.base.StructuredLogger;
import dev.windrow.writer.table.TableWrites.TableWrite;

/**
 * Which partition keys of table and index get more writes than their partition takes. Their throttles say nothing about the
 * rate that the others sustain. Responses need not name the key, so it is told by counting: counts halve every five
 * seconds. Of bounded size, and thread-safe.
 */
public final class HotKeys {

    private static final StructuredLogger LOG = StructuredLogger.of(HotKeys.class);
    private static final int MAX_KEYS = 1_024;
    private static final double MIN_THROTTLES = 4;
    private static final double HOT_SHARE = 0.5;
    /** Where more of the other writes are throttled, it is not for one key. */
    private static final double OTHERS_SHARE = 0.1;
    private static final double MIN_OTHERS = 4;
    private static final double HALF_LIFE_NANOS = 5e9;
    private static final long LOG_PAUSE_NANOS = 60_000_000_000L;

    private final LongSupplier nanoTime;
    /** Keys that were throttled lately, the eldest first. */
    private final LinkedHashMap<String, Count> keys = new LinkedHashMap<>(16, 0.75f, true);
    /** Of writes none of whose keys is hot. */
    private final Count others;
    private long loggedAt;
    private boolean logged;

    private final class Count {

        private double attempts;
        private double throttles;
        /** Those of the throttles that were counted among the others, as the key was not known to be hot. */
        private double amongOthers;
        private long countedAt = nanoTime.getAsLong();

        private void add(boolean throttled) {
            decay();
            attempts++;
            throttles += throttled ? 1 : 0;
        }

        private void decay() {
            long now = nanoTime.getAsLong();
            double decay = Math.pow(0.5, (now - countedAt) / HALF_LIFE_NANOS);
            countedAt = now;
            attempts *= decay;
            throttles *= decay;
            amongOthers *= decay;
        }

        /** Takes out what another count has counted here as well. */
        private void remove(Count other) {
            decay();
            attempts = Math.max(0, attempts - other.amongOthers);
            throttles = Math.max(0, throttles - other.amongOthers);
            other.amongOthers = 0;
        }

        private boolean isHot() {
            return throttles >= MIN_THROTTLES && throttles >= attempts * HOT_SHARE;
        }
    }

    HotKeys(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.others = new Count();
    }

    /**
     * Counts an attempt at a write.
     *
     * @return whether it was throttled, and this is so for one of its keys alone
     */
    synchronized boolean explains(TableWrite write, boolean throttled) {
        @Nullable
        String hot = null;
        List<Count> cold = new ArrayList<>(2);
        for (String key : keysOf(write)) {
            Count count = throttled ? keys.computeIfAbsent(key, first -> new Count()) : keys.get(key);
            if (count != null) {
                count.add(throttled);
                if (count.isHot()) {
                    hot = key;
                    others.remove(count);
                } else {
                    cold.add(count);
                }
            }
        }
        if (keys.size() > MAX_KEYS) {
            keys.remove(keys.keySet().iterator().next());
        }
        if (hot == null) {
            others.add(throttled);
            cold.forEach(count -> count.amongOthers += throttled ? 1 : 0);
        }
        boolean explained = throttled && hot != null && others.attempts >= MIN_OTHERS
                && others.throttles <= others.attempts * OTHERS_SHARE;
        if (explained && hot != null) {
            log(hot);
        }
        return explained;
    }

    private void log(String key) {
        long now = nanoTime.getAsLong();
        if (!logged || now - loggedAt >= LOG_PAUSE_NANOS) {
            logged = true;
            loggedAt = now;
            LOG.warn("one partition key is throttled; its updates wait, and others go on",
                    LogKey.REASON.of(Reason.THROTTLED.word()), LogKey.DETAIL.of(key));
        }
    }

    private static List<String> keysOf(TableWrite write) {
        List<String> keys = new ArrayList<>(2);
        for (ItemUpdate update : write.updates()) {
            keys.add("table, key " + update.partitionKey());
            String index = update.indexPartitionKey();
            if (index != null) {
                keys.add("index, key " + index);
            }
        }
        return keys;
    }
}
