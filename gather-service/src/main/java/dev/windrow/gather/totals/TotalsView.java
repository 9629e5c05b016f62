package dev.windrow.gather.totals;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;

import dev.windrow.gather.fanout.Execution;
import dev.windrow.gather.fanout.Warning;
import dev.windrow.gather.plan.MeasureValues;
import dev.windrow.gather.range.TimeRange;
import dev.windrow.gather.render.CacheLifetime;
import dev.windrow.gather.render.Cacheable;
import dev.windrow.gather.render.MeasuresView;
import dev.windrow.gather.render.Page;
import dev.windrow.gather.render.QueryExplanation;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * Totals of one label, or of many together; other fields as in {@link Page}.
 *
 * @param label the first values that the labels share; all values for one label
 * @param from earliest bucket start; absent for all time
 * @param to latest bucket start, exclusive; absent if open
 * @param measures all measures; those without a value are 0 if they add up, else null
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

    static TotalsView of(TotalsQuery query, Execution<MeasureValues> execution, CacheLifetime cacheLifetime) {
        TimeRange range = query.range();
        return new TotalsView(query.selection().values(), range.from().equals(TimeRange.ALL.from()) ? null : range.from(),
                range.to().equals(TimeRange.END) ? null : range.to(),
                MeasuresView.total(execution.result(), query.scope().columns()), execution.isComplete(),
                execution.asOf().orElse(null), execution.warnings(), QueryExplanation.requested(query, execution),
                cacheLifetime);
    }
}
