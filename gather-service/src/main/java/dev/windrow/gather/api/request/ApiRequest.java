package dev.windrow.gather.api.request;

import java.time.Duration;
import java.time.Instant;

import jakarta.ws.rs.core.HttpHeaders;

import org.jspecify.annotations.Nullable;

import dev.windrow.gather.api.caching.CacheLifetime;
import dev.windrow.gather.api.rendering.Csv;
import dev.windrow.gather.api.rendering.LineRenderer;
import dev.windrow.gather.query.QueryOptions;
import dev.windrow.gather.query.TimeRange;

/**
 * A request about a dataset.
 *
 * @param query its query
 * @param asOf when it arrived
 * @param closedAfter how long after its end a range counts as closed
 * @param spreadsheet whether CSV is meant for a spreadsheet
 */
public record ApiRequest<Q>(Q query, Instant asOf, Duration closedAfter, boolean spreadsheet) {

    /** How long clients may keep an answer about a range. */
    public CacheLifetime cacheLifetime(TimeRange range, QueryOptions options) {
        if (options.consistent()) {
            return CacheLifetime.NOT;
        }
        return range.to().isBefore(asOf.minus(closedAfter)) ? CacheLifetime.LONG : CacheLifetime.BRIEFLY;
    }

    /** How to write CSV, or null if the client wants NDJSON. */
    public @Nullable Csv csv(HttpHeaders headers) {
        return LineRenderer.isCsv(headers) ? new Csv(spreadsheet) : null;
    }
}
