package dev.windrow.gather.prometheus;

import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.Granularity;
import dev.windrow.gather.query.DatasetScope;
import dev.windrow.gather.query.Parameters;
import dev.windrow.gather.query.QueryContext;
import dev.windrow.gather.query.QueryKind;
import dev.windrow.gather.query.QueryParameter;
import dev.windrow.gather.query.QueryPlan;
import dev.windrow.gather.query.RangeQuery;
import dev.windrow.gather.query.RollupChooser;
import dev.windrow.gather.query.SeriesQuery;
import dev.windrow.gather.query.SeriesQuery.Fill;
import dev.windrow.gather.query.TimeRange;
import dev.windrow.gather.query.TotalsQuery;
import dev.windrow.gather.query.ZonedBuckets;

/** Plans the reads of a selection by the queries of the API: totals of ranges, and series where windows divide a range. */
final class MetricRead {

    private final RollupChooser rollups;
    private final DatasetScope scope;
    private final MetricSelection selection;
    private final QueryContext context;
    private final Map<String, List<String>> given = new HashMap<>();
    private final List<Granularity> stored;

    /** @param options parameters of the API that say how to read */
    MetricRead(Datasets datasets, String tenant, MetricSelection selection, Map<String, List<String>> options,
            QueryContext context) {
        this.rollups = new RollupChooser(datasets);
        this.scope = new DatasetScope(tenant, selection.metric().dataset());
        this.selection = selection;
        this.context = context;
        given.putAll(options);
        given.put(QueryParameter.LABEL.word(), selection.firstValues());
        selection.prefix().ifPresent(prefix -> given.put(QueryParameter.PREFIX.word(), List.of(prefix)));
        this.stored = scope.stored(whole(scope).selection());
    }

    /** The granularities that the selected series are read from, finest first. */
    List<Granularity> stored() {
        return stored;
    }

    /**
     * The query for everything in a range.
     *
     * @param range aligned to the finest granularity
     */
    TotalsQuery totals(TimeRange range) {
        return rollups.choose(scope, labelsUsed(), read -> {
            TotalsQuery query = whole(read);
            Granularity finest = read.stored(query.selection()).get(0);
            boolean aligned = range.from().equals(TimeRange.ALL.from())
                    ? TimeRange.ceiling(finest, range.to()).equals(range.to())
                    : range.alignedTo(finest).equals(range);
            return new TotalsQuery(query.scope(), query.selection(), require(aligned, range), query.options());
        });
    }

    /**
     * The query for buckets.
     *
     * @param range aligned to the granularity
     * @param granularity which no bound of a window divides
     */
    SeriesQuery series(TimeRange range, Granularity granularity) {
        return rollups.choose(scope, labelsUsed(), read -> {
            TotalsQuery query = whole(read);
            List<Granularity> candidates = read.stored(query.selection()).stream()
                    .filter(candidate -> candidate.nestsIn(granularity)).toList();
            require(!candidates.isEmpty(), range);
            Granularity source = candidates.get(candidates.size() - 1);
            return new SeriesQuery(query.scope(), query.selection(), new ZonedBuckets(source, ZoneOffset.UTC), range,
                    Fill.NONE, false, Optional.empty(), false, OptionalInt.empty(), Optional.empty(),
                    context.limits().maxPoints(), query.options());
        });
    }

    private static TimeRange require(boolean possible, TimeRange range) {
        if (!possible) {
            throw new InvalidInputException(Reason.INVALID_PARAMETER, QueryParameter.GRANULARITY.word(),
                    "expected one whose buckets begin at " + range.from() + " and " + range.to());
        }
        return range;
    }

    /** Which labels, and how to read them; of all time. */
    private TotalsQuery whole(DatasetScope read) {
        return TotalsQuery.of(read, Parameters.of(QueryKind.TOTALS, given), context);
    }

    /** What a roll-up is chosen by. */
    private Parameters labelsUsed() {
        Map<String, List<String>> raw = new HashMap<>(given);
        List<String> attributes = scope.dataset().label();
        raw.put(QueryParameter.GROUP_BY.word(), new ArrayList<>(attributes.subList(0, selection.labelsUsed())));
        raw.put(QueryParameter.GRANULARITY.word(), List.of(stored.get(0).name()));
        return Parameters.of(QueryKind.SERIES, raw);
    }

    /** The reads of a part of the windows' range. */
    RangeQuery query(Windows.Part part, Granularity granularity) {
        return part.divided() ? series(part.range(), granularity) : totals(part.range());
    }

    /** The reads of one of these queries. */
    static QueryPlan plan(RangeQuery query) {
        return query instanceof SeriesQuery series ? series.plan() : ((TotalsQuery) query).plan();
    }
}
