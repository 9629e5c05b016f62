package dev.windrow.gather.api.rendering;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;

import dev.windrow.gather.answer.MeasureDelta;
import dev.windrow.gather.api.caching.CacheLifetime;
import dev.windrow.gather.api.caching.Cacheable;
import dev.windrow.gather.execution.Execution;
import dev.windrow.gather.execution.TotalsExecutor;
import dev.windrow.gather.merge.MeasureValues;
import dev.windrow.gather.query.CompareQuery;
import dev.windrow.gather.query.TimeRange;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * One period against another.
 *
 * @param period the requested period
 * @param against the other
 * @param change by measure, from the other period to the requested one; null where either has no value
 * @param complete whether every shard answered
 * @param asOf events that a writer claimed before are in both; absent if that is not known
 * @param warnings what is missing
 * @param explain how both periods were gathered, if requested
 * @param cacheLifetime how long a client may keep it
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
     * @param to its end, exclusive
     * @param measures all measures; those without a value are 0 if they add up, else null
     */
    @RegisterForReflection
    @Schema(name = "Period")
    public record PeriodView(Instant from, Instant to,
            @Schema(examples = "{\"events\":300}") Map<String, @Nullable BigDecimal> measures) {

        static PeriodView of(TimeRange range, MeasureValues values) {
            return new PeriodView(range.from(), range.to(), MeasuresView.total(values));
        }
    }

    /**
     * How a measure changed.
     *
     * @param absolute now minus then
     * @param relative the same as a share of the size then (0.5 is half more); null if it was zero
     */
    @RegisterForReflection
    @Schema(name = "Change")
    public record ChangeView(@Schema(examples = "100") BigDecimal absolute,
            @Schema(examples = "0.5") @Nullable BigDecimal relative) {

        static ChangeView of(MeasureDelta change) {
            return new ChangeView(MeasuresView.number(change.absolute()),
                    change.relative().map(MeasuresView::number).orElse(null));
        }
    }

    /** The comparison that an execution made. */
    public static CompareView of(CompareQuery query, TotalsExecutor.Comparison made,
            CacheLifetime cacheLifetime) {
        PeriodView period = PeriodView.of(query.periods().period(), made.period().result());
        PeriodView against = PeriodView.of(query.periods().against(), made.against().result());
        Execution<?> both = made.against().after(made.period());
        return new CompareView(period, against, changes(against.measures(), period.measures()), both.isComplete(),
                both.asOf().orElse(null), Warning.of(both),
                query.options().explain()
                        ? List.of(QueryExplanation.of(query.scope(), made.period()),
                                QueryExplanation.of(query.scope(), made.against()))
                        : null,
                cacheLifetime);
    }

    /** The change of each measure. */
    static Map<String, @Nullable ChangeView> changes(Map<String, @Nullable BigDecimal> before,
            Map<String, @Nullable BigDecimal> after) {
        Map<String, @Nullable ChangeView> changes = new LinkedHashMap<>();
        after.forEach((measure, now) -> {
            BigDecimal then = before.get(measure);
            changes.put(measure, now == null || then == null ? null : ChangeView.of(MeasureDelta.from(then, now)));
        });
        return changes;
    }
}
