package dev.windrow.gather.totals;

import java.math.BigDecimal;
import java.math.MathContext;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import dev.windrow.gather.render.MeasuresView;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * The change of a measure.
 *
 * @param absolute now minus then
 * @param relative the same as a share of the size then (0.5 is half more), rounded to 34 digits; null if that was zero
 */
@RegisterForReflection
@Schema(name = "Change")
public record ChangeView(@Schema(examples = "100") BigDecimal absolute,
        @Schema(examples = "0.5") @Nullable BigDecimal relative) {

    static ChangeView of(BigDecimal before, BigDecimal after) {
        BigDecimal absolute = after.subtract(before);
        return new ChangeView(MeasuresView.number(absolute), before.signum() == 0
                ? null
                : MeasuresView.number(absolute.divide(before.abs(), MathContext.DECIMAL128)));
    }
}
