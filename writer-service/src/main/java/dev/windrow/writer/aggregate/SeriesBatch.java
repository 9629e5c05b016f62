package dev.windrow.writer.aggregate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import dev.windrow.key.SeriesKey;
import dev.windrow.time.Granularity;

/**
 * Shares of one series that are written together, in the order they came.
 *
 * @param shares at least one
 */
public record SeriesBatch(List<Share> shares) {

    public SeriesBatch {
        shares = List.copyOf(shares);
        if (shares.isEmpty()) {
            throw new IllegalArgumentException("a batch needs at least one share");
        }
    }

    public Plan plan() {
        return shares.get(0).plan();
    }

    public SeriesKey series() {
        return shares.get(0).series();
    }

    public String partitionKey() {
        return shares.get(0).partitionKey();
    }

    /** The shares coalesced into one upsert per bucket, finest granularity first, each in order of time. */
    public List<BucketUpsert> upserts() {
        return upserts(shares);
    }

    /** Coalesces some shares of one series. */
    public static List<BucketUpsert> upserts(List<Share> shares) {
        Plan plan = shares.get(0).plan();
        List<BucketUpsert> upserts = new ArrayList<>();
        for (Granularity granularity : plan.dataset().granularities()) {
            TreeMap<Long, Totals> byStart = new TreeMap<>();
            for (Share share : shares) {
                for (Map.Entry<Long, Totals> entry : share.base().entrySet()) {
                    byStart.computeIfAbsent(granularity.floor(entry.getKey()),
                            start -> new Totals(plan.measures().size())).add(plan.measures(), entry.getValue());
                }
            }
            byStart.forEach((start, totals) -> upserts.add(new BucketUpsert(granularity, start, totals)));
        }
        return upserts;
    }
}
