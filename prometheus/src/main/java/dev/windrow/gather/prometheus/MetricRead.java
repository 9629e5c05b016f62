package dev.windrow.gather.prometheus;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.dataset.Datasets;
import dev.windrow.gather.label.LabelSelection;
import dev.windrow.gather.parameter.Parameters;
import dev.windrow.gather.parameter.QueryKind;
import dev.windrow.gather.parameter.QueryParameter;
import dev.windrow.gather.plan.DatasetScope;
import dev.windrow.gather.plan.QueryContext;
import dev.windrow.gather.plan.QueryOptions;
import dev.windrow.gather.range.Expired;
import dev.windrow.gather.range.Horizons;
import dev.windrow.gather.range.SummedRange;
import dev.windrow.gather.range.TimeRange;
import dev.windrow.gather.request.RollupChooser;
import dev.windrow.time.Granularity;

/** Plans the reads of a selection: sums of ranges, and of buckets where windows divide a range. */
final class MetricRead {

    private final RollupChooser rollups;
    private final DatasetScope scope;
    private final MetricSelection selection;
    private final Map<String, List<String>> given = new HashMap<>();
    private final Parameters parameters;
    /** The granularities that the selected series are read from, finest first. */
    final List<Granularity> stored;
    private final QueryContext context;

    /** @param options parameters of the API that say how to read */
    MetricRead(Datasets datasets, String tenant, MetricSelection selection, Map<String, List<String>> options,
            QueryContext context) {
        this.rollups = new RollupChooser(datasets);
        this.scope = new DatasetScope(tenant, selection.metric().dataset());
        this.selection = selection;
        given.putAll(options);
        given.put(QueryParameter.LABEL.word(), selection.firstValues());
        selection.prefix().ifPresent(prefix -> given.put(QueryParameter.PREFIX.word(), List.of(prefix)));
        this.parameters = Parameters.of(QueryKind.TOTALS, given);
        this.stored = scope.stored(scope.consistentSelection(parameters));
        this.context = context;
    }

    Horizons horizons() {
        return context.horizons(scope);
    }

    /**
     * Returns the read of a range.
     *
     * @param range aligned to the finest granularity that exists at its start, and cut at its horizon
     * @param undivided the granularity whose buckets no bound of a window divides; empty if none divides the range
     * @param expired why the range is not what it would be without retention, if so
     */
    RangeRead read(TimeRange range, Optional<Granularity> undivided, List<Expired> expired) {
        return rollups.choose(scope, labelsUsed(), read -> {
            LabelSelection labels = read.consistentSelection(parameters);
            List<Granularity> available = read.stored(labels);
            Horizons horizons = context.horizons(read).because(expired);
            Optional<Granularity> buckets = undivided.flatMap(whole -> available.stream().filter(candidate -> candidate
                    .nestsIn(whole) && !horizons.of(candidate).isAfter(range.from())).reduce((finer, coarser) -> coarser));
            if (undivided.isPresent() ? buckets.isEmpty() : !SummedRange.isExact(available, range, horizons)) {
                throw new InvalidInputException(Reason.INVALID_PARAMETER, QueryParameter.GRANULARITY.word(),
                        "expected one whose buckets begin at " + range.from() + " and " + range.to());
            }
            return new RangeRead(read, labels, range, buckets, QueryOptions.of(parameters, context, horizons));
        });
    }

    /** Returns the parameters by which a roll-up is chosen. */
    private Parameters labelsUsed() {
        Map<String, List<String>> raw = new HashMap<>(given);
        List<String> attributes = scope.dataset().label();
        raw.put(QueryParameter.GROUP_BY.word(), new ArrayList<>(attributes.subList(0, selection.labelsUsed())));
        raw.put(QueryParameter.GRANULARITY.word(), List.of(stored.get(0).name()));
        return Parameters.of(QueryKind.SERIES, raw);
    }
}
