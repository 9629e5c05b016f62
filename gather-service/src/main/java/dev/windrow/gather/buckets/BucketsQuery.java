package dev.windrow.gather.buckets;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.windrow.base.KeyCodec;
import dev.windrow.gather.label.LabelSelection;
import dev.windrow.gather.parameter.Parameters;
import dev.windrow.gather.parameter.QueryParameter;
import dev.windrow.gather.parameter.SortOrder;
import dev.windrow.gather.plan.Cursor;
import dev.windrow.gather.plan.DatasetScope;
import dev.windrow.gather.plan.Planner;
import dev.windrow.gather.plan.QueryContext;
import dev.windrow.gather.plan.QueryLimits;
import dev.windrow.gather.plan.QueryOptions;
import dev.windrow.gather.plan.QueryPlan;
import dev.windrow.gather.plan.RangeQuery;
import dev.windrow.gather.range.Horizons;
import dev.windrow.gather.range.TimeRange;
import dev.windrow.table.Label;
import dev.windrow.time.Granularity;

/**
 * The selected labels' buckets in a range, in time order.
 *
 * @param granularity one that is indexed, or any if the labels are read from the table
 * @param range of bucket starts, aligned to the granularity
 * @param limit maximum number of buckets of the page
 * @param limited whether the request has a limit
 * @param after the place where the previous page ended
 * @param identity the parts of the request that its cursors are bound to
 */
public record BucketsQuery(DatasetScope scope, Granularity granularity, TimeRange range, boolean descending, int limit,
        boolean limited, Optional<Cursor> after, LabelSelection selection, QueryOptions options,
        String identity) implements RangeQuery {

    private static final List<QueryParameter> BOUND = List.of(QueryParameter.FROM,
            QueryParameter.TO, QueryParameter.LAST, QueryParameter.LABEL, QueryParameter.LABELS, QueryParameter.PREFIX,
            QueryParameter.WHERE);

    public static BucketsQuery of(DatasetScope scope, Parameters parameters, QueryContext context) {
        QueryLimits limits = context.limits();
        LabelSelection selection = scope.selection(parameters);
        Granularity granularity = scope.granularity(parameters, selection);
        SortOrder order = SortOrder.of(parameters, SortOrder.ASC);
        String identity = String.join(";", scope.tenant(), scope.dataset().name(), granularity.name(), order.name(),
                parameters.identity(BOUND));
        Optional<Cursor> after = parameters.text(QueryParameter.CURSOR).map(text -> Cursor.decoded(text, identity)
                .requirePlaceIn(scope, granularity, selection.isInTable()));
        Horizons now = context.horizons(scope);
        TimeRange requested = context.times(parameters).range().alignedTo(granularity);
        Horizons horizons = after.isPresent() ? now.ofLaterPage() : now;
        TimeRange range = horizons.cut(granularity, after.map(Cursor::range).orElse(requested));
        return new BucketsQuery(scope, granularity, range, order == SortOrder.DESC,
                parameters.integer(QueryParameter.LIMIT, 1, limits.maxLimit(), limits.defaultLimit()),
                parameters.text(QueryParameter.LIMIT).isPresent(), after, selection,
                QueryOptions.of(parameters, context, now.cut(granularity, requested).equals(requested) ? horizons
                        : horizons.noting(granularity)),
                identity);
    }

    public QueryPlan plan() {
        // Buckets after the place may have expired since the previous page.
        Optional<Cursor> left = after.filter(cursor -> descending || !cursor.start().isBefore(range.from()));
        return new Planner(scope, selection, options).plan(granularity, range, descending, left);
    }

    /** Returns the cursor of a page that ended with this bucket: its place in the index, even if read from the table. */
    public String next(Instant start, Label label) {
        List<String> place = new ArrayList<>(List.of(start.toString()));
        place.addAll(label.values());
        return new Cursor(KeyCodec.encode(place), range).encoded(identity);
    }
}
