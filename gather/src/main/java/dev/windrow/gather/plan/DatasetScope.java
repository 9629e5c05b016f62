package dev.windrow.gather.plan;

import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.dataset.Column;
import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.gather.label.LabelSelection;
import dev.windrow.gather.label.LabelSelector;
import dev.windrow.gather.parameter.Parameters;
import dev.windrow.gather.parameter.QueryParameter;
import dev.windrow.gather.range.Horizons;
import dev.windrow.gather.range.SummedRange;
import dev.windrow.gather.range.TimeParameters;
import dev.windrow.gather.range.TimeRange;
import dev.windrow.time.Granularity;

/**
 * The tenant and the dataset that a query is about.
 *
 * @param dataset the dataset that is read
 * @param named the dataset that the request names; the one that is read may be a roll-up of it
 * @param lagging the roll-up that could answer too, but lags; null if there is none
 */
public record DatasetScope(String tenant, Dataset dataset, Dataset named, @Nullable Dataset lagging) {

    public DatasetScope(String tenant, Dataset dataset) {
        this(tenant, dataset, dataset, null);
    }

    /** The same request, answered from a roll-up. */
    public DatasetScope readFrom(Dataset rollup) {
        return new DatasetScope(tenant, rollup, named, null);
    }

    /** The same request, not answered from a roll-up because that lags. */
    public DatasetScope fresherThan(Dataset rollup) {
        return new DatasetScope(tenant, dataset, named, rollup);
    }

    /**
     * Finds the dataset.
     *
     * @throws InvalidInputException with {@link Reason#UNKNOWN_DATASET}
     */
    public static DatasetScope of(Datasets datasets, String dataset, String tenant) {
        Dataset found = datasets.named(dataset).orElseThrow(() -> new InvalidInputException(Reason.UNKNOWN_DATASET, "dataset",
                "expected one of " + datasets.all().stream().map(Dataset::name).collect(Collectors.joining(", "))));
        return new DatasetScope(tenant, found);
    }

    /** The requested granularity, one of those that can answer; may be omitted if there is only one. */
    public Granularity granularity(Parameters parameters, List<Granularity> possible, String where) {
        QueryParameter parameter = QueryParameter.GRANULARITY;
        String expected = possible.isEmpty()
                ? "no query of this kind, as dataset " + dataset.name() + " has no granularity " + where
                : "one of " + possible.stream().map(Granularity::name).collect(Collectors.joining(", "))
                        + ", the granularities " + where;
        Optional<Granularity> requested = parameters.parsed(parameter,
                text -> Granularity.parse(text).filter(possible::contains), expected);
        return requested.orElseGet(() -> {
            if (possible.size() == 1) {
                return possible.get(0);
            }
            throw Parameters.missing(parameter, "expected " + expected);
        });
    }

    /** The columns of answers, as declared by the dataset that the request names. */
    public List<Column> columns() {
        return named.columns();
    }

    /** The measure or ratio to order by; may be omitted if there is only one. */
    public Column by(Parameters parameters) {
        String expected = "one of " + columnNames();
        return parameters.parsed(QueryParameter.BY, named::column, expected).orElseGet(() -> {
            if (columns().size() == 1) {
                return columns().get(0);
            }
            throw Parameters.missing(QueryParameter.BY, "expected " + expected);
        });
    }

    /** For error messages. */
    public String columnNames() {
        return columns().stream().map(Column::name).collect(Collectors.joining(", "));
    }

    /**
     * The indexed granularities.
     *
     * @throws InvalidInputException if there are none, so that queries about all labels cannot be answered
     */
    List<Granularity> indexed() {
        if (dataset.index().isEmpty()) {
            throw new InvalidInputException(Reason.INVALID_PARAMETER, "dataset",
                    "the query covers many labels and needs an index, but dataset " + dataset.name() + " has none");
        }
        return dataset.index();
    }

    /**
     * The selected labels of a query that may be consistent.
     *
     * @throws InvalidInputException if the request asks for consistency, but its labels are read from the index
     */
    public LabelSelection consistentSelection(Parameters parameters) {
        LabelSelection selection = selection(parameters);
        if (!selection.isInTable() && parameters.flag(QueryParameter.CONSISTENT, false)) {
            throw Parameters.invalid(QueryParameter.CONSISTENT, "expected false, or a value of `label` for each of "
                    + String.join(", ", dataset.label().subList(0, dataset.partition()))
                    + ": other labels are read from the index, which is never consistent");
        }
        return selection;
    }

    /** The granularities that can answer queries about the selected labels; as everywhere, finest first. */
    public List<Granularity> stored(LabelSelection selection) {
        return selection.isInTable() ? dataset.granularities() : indexed();
    }

    /** The requested granularity of buckets of the selected labels; may be omitted if only one is indexed or possible. */
    public Granularity granularity(Parameters parameters, LabelSelection selection) {
        List<Granularity> stored = stored(selection);
        return dataset.index().size() == 1 && !parameters.has(QueryParameter.GRANULARITY)
                ? dataset.index().get(0)
                : granularity(parameters, stored, selection.isInTable() ? "that are kept" : "that are indexed");
    }

    /**
     * The part of {@link TimeParameters#range()} that buckets of this dataset sum up.
     *
     * @throws InvalidInputException as the method below
     */
    public SummedRange summed(List<Granularity> stored, TimeParameters times, Horizons horizons) {
        return summed(stored, times.range(), times.zone(), times, horizons);
    }

    /**
     * The part of a range that buckets of this dataset sum up.
     *
     * @throws InvalidInputException if only all-time totals are stored, but the request has a range; or as
     *         {@link SummedRange#of(List, TimeRange, ZoneId, TimeParameters, Horizons)}
     */
    public SummedRange summed(List<Granularity> stored, TimeRange requested, ZoneId zone, TimeParameters times,
            Horizons horizons) {
        if (stored.equals(List.of(Granularity.FOREVER)) && !requested.equals(TimeRange.ALL)) {
            throw Parameters.invalid(times.bound(), "dataset " + dataset.name()
                    + " stores only all-time totals: leave out `from`, `to` and `last`");
        }
        return SummedRange.of(stored, requested, zone, times, horizons);
    }

    public LabelSelection selection(Parameters parameters) {
        return new LabelSelector(tenant, dataset).of(parameters);
    }

    public LabelSelection selection(List<String> values) {
        return new LabelSelector(tenant, dataset).of(values);
    }
}
