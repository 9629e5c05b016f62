package dev.windrow.writer.aggregate;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Granularity;
import dev.windrow.dataset.Measure;
import dev.windrow.dataset.MeasureKind;
import dev.windrow.writer.journal.record.WholeSums;

/**
 * How a dataset is aggregated. Events are summed in base buckets, the coarsest from which all granularities can be derived,
 * so that the work per event does not grow with the number of granularities.
 */
public final class AggregationPlan {

    /** A bucket's totals, and its place among others. */
    private static final long BUCKET_BYTES = 96;
    /** A measure's value with its number; most sums take less. */
    private static final long VALUE_BYTES = 112;

    private final Dataset dataset;
    private final int number;
    private final Granularity base;
    private final List<Measure> measures;
    private final List<WholeSums.Summed> summed;
    private final SeriesCache knownSeries;
    private final BucketItemCache knownItems;
    private final long bucketBytes;

    /**
     * @param number of the dataset among all, from 0
     * @param datasets number of datasets, which share the memory for cached series and items
     */
    public AggregationPlan(Dataset dataset, int number, int datasets) {
        this.dataset = dataset;
        this.number = number;
        this.base = base(dataset.granularities());
        this.measures = dataset.measures();
        this.summed = measures.stream().allMatch(measure -> measure.kind().isAdditive())
                ? measures.stream().map(measure -> new WholeSums.Summed(measure.name(), measure.kind())).toList()
                : List.of();
        this.knownSeries = new SeriesCache(dataset, datasets);
        this.knownItems = new BucketItemCache(dataset, datasets);
        this.bucketBytes = BUCKET_BYTES
                + VALUE_BYTES * measures.stream().filter(measure -> measure.kind() != MeasureKind.COUNT).count();
    }

    public Dataset dataset() {
        return dataset;
    }

    int number() {
        return number;
    }

    /** In declared order; totals hold their values in the same order. */
    public List<Measure> measures() {
        return measures;
    }

    /** Its measures, if all are counts and sums; else none. */
    List<WholeSums.Summed> summed() {
        return summed;
    }

    SeriesCache knownSeries() {
        return knownSeries;
    }

    BucketItemCache knownItems() {
        return knownItems;
    }

    Granularity base() {
        return base;
    }

    /** Estimated heap size of one base bucket. */
    long bucketBytes() {
        return bucketBytes;
    }

    private static Granularity base(List<Granularity> granularities) {
        List<Granularity> candidates = new ArrayList<>(granularities);
        candidates.addAll(List.of(Granularity.DAY, Granularity.HOUR, Granularity.MINUTE, Granularity.SECOND));
        candidates.sort(Collections.reverseOrder());
        for (Granularity candidate : candidates) {
            if (granularities.stream().allMatch(candidate::nestsIn)) {
                return candidate;
            }
        }
        throw new IllegalStateException("seconds nest in every granularity");
    }
}
