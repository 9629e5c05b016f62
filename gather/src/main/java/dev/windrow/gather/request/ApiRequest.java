package dev.windrow.gather.request;

import java.time.Duration;
import java.util.List;

import jakarta.ws.rs.core.HttpHeaders;

import org.jspecify.annotations.Nullable;

import dev.windrow.gather.fanout.Execution;
import dev.windrow.gather.fanout.Warning;
import dev.windrow.gather.plan.QueryOptions;
import dev.windrow.gather.plan.RangeQuery;
import dev.windrow.gather.range.TimeRange;
import dev.windrow.gather.render.CacheLifetime;
import dev.windrow.gather.render.Csv;
import dev.windrow.gather.render.LineFormats;
import dev.windrow.gather.render.Page;
import dev.windrow.gather.render.QueryExplanation;

/**
 * A request about a dataset.
 *
 * @param closedAfter how long after its end a range counts as closed
 * @param fixedRange whether the request means the same range whenever it is sent
 * @param spreadsheet whether CSV is for a spreadsheet
 */
public record ApiRequest<Q>(Q query, Duration closedAfter, boolean fixedRange, boolean spreadsheet) {

    /** How long clients may cache an answer about a range; not at all if it lacks anything, or may lack claimed events. */
    public CacheLifetime cacheLifetime(TimeRange range, QueryOptions options, Execution<?> execution) {
        if (options.consistent() || execution.isLagging() || execution.warnings().stream().anyMatch(Warning::isTransient)) {
            return CacheLifetime.NOT;
        }
        boolean closed = execution.asOf().filter(time -> range.to().isBefore(time.minus(closedAfter))).isPresent();
        return closed && fixedRange ? CacheLifetime.LONG : CacheLifetime.BRIEFLY;
    }

    /** Returns how to write CSV, or null if the client wants NDJSON. */
    public @Nullable Csv csv(HttpHeaders headers) {
        return LineFormats.isCsv(headers) ? new Csv(spreadsheet) : null;
    }

    /** @param next the cursor of the next page; null if there is none */
    public static <T> Page<T> page(ApiRequest<? extends RangeQuery> request, Execution<List<T>> execution,
            @Nullable String next) {
        return page(request, execution, next, null);
    }

    /** @param groups how many groups all pages have together; null if that is not known, or the items are no groups */
    public static <T> Page<T> page(ApiRequest<? extends RangeQuery> request, Execution<List<T>> execution,
            @Nullable String next, @Nullable Long groups) {
        RangeQuery query = request.query();
        return new Page<>(execution.result(), execution.isComplete(), execution.asOf().orElse(null), next, groups,
                execution.warnings(), QueryExplanation.requested(query, execution),
                request.cacheLifetime(query.latestRange(), query.options(), execution));
    }
}
