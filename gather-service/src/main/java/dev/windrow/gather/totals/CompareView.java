package dev.windrow.gather.totals;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;

import dev.windrow.dataset.Column;
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
 * One period against another; other fields as in {@link Page}, for both.
 *
 * @param against the other period
 * @param change by measure, from the other period to the requested one; null if either has no value, or if the other period
 *        has expired
 */
@RegisterForReflection
@Schema(name = "Comparison")
public record CompareView(PeriodView period, PeriodView against, Map<String, @Nullable ChangeView> change,
        @Schema(examples = "true") boolean complete,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Instant asOf, List<Warning> warnings,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<QueryExplanation> explain,
        @JsonIgnore @Schema(hidden = true) CacheLifetime cacheLifetime) implements Cacheable {

    /**
     * A period.
     *
     * @param from its start
     * @param to its end, exclusive; absent if open
     * @param measures all measures; those without a value are 0 if they add up, else null
     */
    @RegisterForReflection
    @Schema(name = "Period")
    public record PeriodView(Instant from, @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Instant to,
            @Schema(examples = "{\"events\":300}") Map<String, @Nullable BigDecimal> measures) {

        static PeriodView of(TimeRange range, MeasureValues values, List<Column> columns) {
            return new PeriodView(range.from(), range.to().equals(TimeRange.END) ? null : range.to(),
                    MeasuresView.total(values, columns));
        }
    }

    static CompareView of(CompareQuery query, Execution<MeasureValues> now, Execution<MeasureValues> then,
            CacheLifetime cacheLifetime) {
        PeriodView period = PeriodView.of(query.periods().period().range(), now.result(), query.scope().columns());
        PeriodView against = PeriodView.of(query.periods().against().range(), then.result(), query.scope().columns());
        Execution<?> both = then.after(now);
        return new CompareView(period, against,
                query.periods().comparable() ? changes(against.measures(), period.measures()) : unknown(period),
                both.isComplete(),
                both.asOf().orElse(null), both.warnings(), query.options().explain()
                        ? List.of(QueryExplanation.of(query.scope(), query.options(), now),
                                QueryExplanation.of(query.scope(), query.options(), then))
                        : null,
                cacheLifetime);
    }

    private static Map<String, @Nullable ChangeView> unknown(PeriodView period) {
        Map<String, @Nullable ChangeView> changes = new LinkedHashMap<>();
        period.measures().keySet().forEach(measure -> changes.put(measure, null));
        return changes;
    }

    public static Map<String, @Nullable ChangeView> changes(Map<String, @Nullable BigDecimal> before,
            Map<String, @Nullable BigDecimal> after) {
        Map<String, @Nullable ChangeView> changes = new LinkedHashMap<>();
        after.forEach((measure, now) -> {
            BigDecimal then = before.get(measure);
            changes.put(measure, now == null || then == null ? null : ChangeView.of(then, now));
        });
        return changes;
    }
}
