package dev.windrow.gather.api.request;

import java.time.Duration;

import jakarta.ws.rs.core.HttpHeaders;

import org.jspecify.annotations.Nullable;

import dev.windrow.gather.api.caching.CacheLifetime;
import dev.windrow.gather.api.rendering.Csv;
import dev.windrow.gather.api.rendering.LineFormats;
import dev.windrow.gather.execution.Execution;
import dev.windrow.gather.query.QueryOptions;
import dev.windrow.gather.query.TimeRange;

/**
 * A request about a dataset.
 *
 * @param query its query
 * @param closedAfter how long after its end a range counts as closed
 * @param fixedRange whether it is about the same range whenever it is sent
 * @param spreadsheet whether CSV is for a spreadsheet
 */
public record ApiRequest<Q>(Q query, Duration closedAfter, boolean fixedRange, boolean spreadsheet) {

    /** How long clients may keep an answer about a range; one that may lack claimed events must not outlive their arrival. */
    public CacheLifetime cacheLifetime(TimeRange range, QueryOptions options, Execution<?> execution) {
        if (options.consistent() || execution.isLagging() || !execution.isComplete()) {
            return CacheLifetime.NOT;
        }
        boolean closed = execution.asOf().filter(time -> range.to().isBefore(time.minus(closedAfter))).isPresent();
        return closed && fixedRange ? CacheLifetime.LONG : CacheLifetime.BRIEFLY;
    }

    /** How to write CSV, or null if the client wants NDJSON. */
    public @Nullable Csv csv(HttpHeaders headers) {
        return LineFormats.isCsv(headers) ? new Csv(spreadsheet) : null;
    }
}
