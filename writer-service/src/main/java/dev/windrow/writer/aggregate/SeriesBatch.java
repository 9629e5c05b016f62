package dev.windrow.writer.aggregate;

import java.util.ArrayList;
import java.util.List;

import dev.windrow.key.SeriesKey;
import dev.windrow.time.Granularity;

/**
 * Shares of one series that are written together, in the order they came.
 *
 * @param shares at least one
 */
public record SeriesBatch(List<Contribution> shares) {

    public SeriesBatch {
        shares = List.copyOf(shares);
        if (shares.isEmpty()) {
            throw new IllegalArgumentException("a batch needs at least one share");
        }
    }

    public AggregationPlan plan() {
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
    public static List<BucketUpsert> upserts(List<Contribution> shares) {
        AggregationPlan plan = shares.get(0).plan();
        TotalsByStart base = new TotalsByStart();
        for (int i = 0; i < shares.size(); i++) {
            addAll(plan, shares.get(i).base(), plan.base(), base);
        }
        List<BucketUpsert> upserts = new ArrayList<>();
        for (Granularity granularity : plan.dataset().granularities()) {
            TotalsByStart coarser = new TotalsByStart();
            addAll(plan, base, granularity, coarser);
            for (int i = 0; i < coarser.size(); i++) {
                upserts.add(new BucketUpsert(granularity, coarser.start(i), coarser.totals(i)));
            }
        }
        return upserts;
    }

    private static void addAll(AggregationPlan plan, TotalsByStart some, Granularity granularity, TotalsByStart sum) {
        for (int i = 0; i < some.size(); i++) {
            sum.at(granularity.floor(some.start(i))).add(plan.measures(), some.totals(i));
        }
    }
}
