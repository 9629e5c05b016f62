package dev.windrow.gather.query;

import java.util.List;
import java.util.Optional;

import dev.windrow.time.Granularity;

/**
 * All labels' buckets in a range, in time order.
 *
 * @param scope whose
 * @param granularity one that is indexed
 * @param range of bucket starts, aligned to the granularity
 * @param descending latest first
 * @param limit most buckets of the page
 * @param limited whether the limit was asked for
 * @param after where the page before ended
 * @param filter how partition keys of the labels asked for begin
 * @param options how to read
 * @param identity what the query's cursors are bound to
 */
public record BucketsQuery(Scope scope, Granularity granularity, TimeRange range, boolean descending, int limit,
        boolean limited, Optional<Cursor> after, Optional<String> filter, ReadOptions options, String identity) {

    private static final List<QueryParameter> BOUND = List.of(QueryParameter.TENANT, QueryParameter.FROM,
            QueryParameter.TO, QueryParameter.LAST, QueryParameter.LABEL, QueryParameter.PREFIX);

    private enum Order {
        ASC,
        DESC
    }

    /** Reads the parameters. */
    public static BucketsQuery of(Scope scope, Parameters parameters, QueryContext context) {
        QueryLimits limits = context.limits();
        Granularity granularity = scope.granularity(parameters, scope.dataset().index(), "that are indexed");
        Order order = parameters
                .choice(QueryParameter.ORDER, Order.values(), value -> value == Order.ASC ? "asc" : "desc")
                .orElse(Order.ASC);
        String identity = String.join(";", scope.dataset().name(), granularity.name(), order.name(),
                parameters.identity(BOUND));
        Optional<Cursor> after = parameters.text(QueryParameter.CURSOR).map(text -> Cursor.decoded(text, identity));
        TimeRange range = after.map(Cursor::range)
                .orElseGet(() -> context.times(parameters).range().alignedTo(granularity));
        return new BucketsQuery(scope, granularity, range, order == Order.DESC,
                parameters.integer(QueryParameter.LIMIT, 1, limits.mostLimit(), limits.defaultLimit()),
                parameters.text(QueryParameter.LIMIT).isPresent(), after, scope.filter(parameters),
                ReadOptions.of(parameters, context), identity);
    }

    /** The cursor of a page that ended with a bucket at that position. */
    public String next(String position) {
        return new Cursor(position, range).encoded(identity);
    }
}
