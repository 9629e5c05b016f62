package dev.windrow.writer.aggregate;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.Event;
import dev.windrow.dataset.Granularity;
import dev.windrow.dataset.Measure;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.writer.journal.claim.ClaimId;
import dev.windrow.writer.journal.claim.ClaimUnit;
import dev.windrow.writer.journal.record.Addition;
import dev.windrow.writer.journal.record.Change;
import dev.windrow.writer.journal.record.WholeSums;

/** A claim unit under construction: what it adds, by series and base bucket. Not thread-safe. */
final class UnitDraft {

    private final ClaimId id;
    private final int openedBy;
    private final Map<Series, OfSeries> sums = new LinkedHashMap<>();

    /** The sums of one series. */
    static final class OfSeries {

        private final AggregationPlan plan;
        private final TotalsByStart base = new TotalsByStart();
        private Instant latest = Instant.MIN;

        OfSeries(AggregationPlan plan) {
            this.plan = plan;
        }

        /** Adds an event. @return whether it is the first of its base bucket */
        boolean add(Event event) {
            int before = base.size();
            base.at(plan.base().floor(event.time().getEpochSecond())).add(plan.measures(), event);
            latest = event.time().isAfter(latest) ? event.time() : latest;
            return base.size() > before;
        }

        /** The time in a bucket that decides its item's width: that of the latest event, or the bucket's last second. */
        Instant timeIn(Granularity granularity, long start) {
            Instant end = granularity.end(Instant.ofEpochSecond(start));
            return latest.isBefore(end) ? latest : end.minusSeconds(1);
        }
    }

    /** @param openedBy the position of its first event in the message */
    UnitDraft(ClaimId id, int openedBy) {
        this.id = id;
        this.openedBy = openedBy;
    }

    int openedBy() {
        return openedBy;
    }

    /** The sums of a series; null if it has none yet. */
    @Nullable
    OfSeries of(Series series) {
        return sums.get(series);
    }

    OfSeries open(AggregationPlan plan, Series series) {
        OfSeries opened = new OfSeries(plan);
        sums.put(series, opened);
        return opened;
    }

    /**
     * The unit, its buckets in all granularities.
     *
     * @param random drawn from for datasets that scatter at random
     */
    ClaimUnit build(RandomGenerator random) {
        List<Addition> additions = new ArrayList<>(sums.size());
        sums.forEach((series, sum) -> {
            List<Granularity> granularities = sum.plan.dataset().granularities();
            for (int i = 0; i < granularities.size(); i++) {
                add(series, sum, granularities.get(i), random, additions);
            }
        });
        return new ClaimUnit(id, additions);
    }

    private static void add(Series series, OfSeries sum, Granularity granularity, RandomGenerator random,
            List<Addition> additions) {
        List<Measure> measures = sum.plan.measures();
        TotalsByStart coarser = sum.base;
        if (!granularity.equals(sum.plan.base())) {
            coarser = new TotalsByStart();
            for (int i = 0; i < sum.base.size(); i++) {
                coarser.at(granularity.floor(sum.base.start(i))).add(measures, sum.base.totals(i));
            }
        }
        for (int i = 0; i < coarser.size(); i++) {
            List<Change> changes = changes(sum.plan, coarser.totals(i));
            if (!changes.isEmpty()) {
                long start = coarser.start(i);
                additions.add(new Addition(
                        sum.plan.knownItems().of(series, granularity, start, sum.timeIn(granularity, start), random),
                        granularity.name(), changes));
            }
        }
    }

    private static List<Change> changes(AggregationPlan plan, Totals totals) {
        long[] wholes = totals.wholeSums(plan.measures());
        if (wholes != null) {
            return new WholeSums(plan.summed(), wholes);
        }
        List<Measure> measures = plan.measures();
        List<Change> changes = new ArrayList<>(measures.size());
        for (int i = 0; i < measures.size(); i++) {
            MeasureValue value = totals.value(measures, i);
            if (value != null) {
                changes.add(new Change(measures.get(i).name(), measures.get(i).kind(), value));
            }
        }
        return changes;
    }
}
