package dev.windrow.gather.api.rendering;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;

import dev.windrow.gather.api.caching.CacheLifetime;
import dev.windrow.gather.api.caching.Cacheable;
import dev.windrow.gather.execution.Execution;
import dev.windrow.gather.merge.MeasureValues;
import dev.windrow.gather.query.TimeRange;
import dev.windrow.gather.query.TotalsQuery;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * Totals of one label, or of many together.
 *
 * @param label the first values of the labels; all values where they are of one
 * @param from earliest bucket start; absent for all time
 * @param to latest bucket start, exclusive; absent if open
 * @param measures all measures; those without a value are 0 if they add up, else null
 * @param complete whether every shard answered
 * @param asOf events that a writer claimed before are in the answer; absent if that is not known
 * @param warnings what is missing
 * @param explain how the answer was gathered, if requested
 * @param cacheLifetime how long a client may keep it
 */
@RegisterForReflection
public record TotalsView(
        @Schema(examples = "[\"https://example.org/\"]") List<String> label,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Instant from,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Instant to,
        @Schema(examples = "{\"events\":3,\"bytes\":15360}") Map<String, @Nullable BigDecimal> measures,
        @Schema(examples = "true") boolean complete,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Instant asOf,
        List<Warning> warnings,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable QueryExplanation explain,
        @JsonIgnore @Schema(hidden = true) CacheLifetime cacheLifetime) implements Cacheable {

    /** The totals of an execution. */
    public static TotalsView of(TotalsQuery query, Execution<MeasureValues> execution,
            CacheLifetime cacheLifetime) {
        return new TotalsView(query.selection().values(), from(query.range()), to(query.range()),
                MeasuresView.total(execution.result()), execution.isComplete(), execution.asOf().orElse(null),
                Warning.of(execution),
                QueryExplanation.requested(query, execution), cacheLifetime);
    }

    private static @Nullable Instant from(TimeRange range) {
        return range.from().equals(TimeRange.ALL.from()) ? null : range.from();
    }

    private static @Nullable Instant to(TimeRange range) {
        return range.to().equals(TimeRange.END) ? null : range.to();
    }
}
