package dev.windrow.gather.answer;

import java.math.BigDecimal;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.windrow.gather.merge.Bucket;
import dev.windrow.gather.merge.MeasureValues;
import dev.windrow.gather.query.QueryParameter;
import dev.windrow.gather.query.TopQuery;
import dev.windrow.key.KeyCodec;
import dev.windrow.key.Label;
import dev.windrow.key.Utf8Order;
import dev.windrow.reason.InvalidInputException;
import dev.windrow.reason.Reason;

/**
 * Sums buckets by label and picks the labels with the most. Exact: every label is summed before any is left out, so memory
 * grows with the labels and is bounded by refusing more than so many.
 */
public final class TopLabels {

    private final TopQuery query;
    private final int by;
    private final Map<Label, MeasureValues> sums = new HashMap<>();

    public TopLabels(TopQuery query) {
        this.query = query;
        this.by = query.scope().dataset().measures().indexOf(query.by());
    }

    /**
     * A label with its sums.
     *
     * @param label the label
     * @param values its measures over the range
     */
    public record Sum(Label label, MeasureValues values) {
    }

    /**
     * Adds a bucket.
     *
     * @throws InvalidInputException with {@link Reason#RANGE_TOO_LONG} if there are too many labels
     */
    public void add(Bucket bucket) {
        sums.merge(bucket.label(), bucket.values(), MeasureValues::combine);
        if (sums.size() > query.maxLabels()) {
            throw new InvalidInputException(Reason.RANGE_TOO_LONG, QueryParameter.PREFIX.word(), "expected at most "
                    + query.maxLabels() + " labels in the range: ask for a shorter one, or for labels with a prefix");
        }
    }

    /** The labels with the most, most first; equals by label in key order. Labels without a value are left out. */
    public List<Sum> top() {
        Comparator<Map.Entry<Label, BigDecimal>> most = Map.Entry.<Label, BigDecimal> comparingByValue().reversed();
        Comparator<Map.Entry<Label, BigDecimal>> order = most
                .thenComparing(entry -> KeyCodec.encode(entry.getKey().values()), Utf8Order.ASCENDING);
        return sums.entrySet().stream()
                .flatMap(entry -> entry.getValue().shown(by)
                        .map(value -> Map.entry(entry.getKey(), value)).stream())
                .sorted(order).limit(query.n())
                .map(entry -> sum(entry.getKey()))
                .toList();
    }

    private Sum sum(Label label) {
        return Stream.ofNullable(sums.get(label)).map(values -> new Sum(label, values)).findFirst().orElseThrow();
    }
}
