package dev.windrow.gather.api.rendering;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import dev.windrow.gather.answer.TopLabels;
import dev.windrow.measure.Measure;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * A label in a top list.
 *
 * @param label the label
 * @param measures its measures over the range; one without a value is absent
 */
@RegisterForReflection
@Schema(name = "TopLabel")
public record TopView(
        @Schema(examples = "[\"https://example.org/\"]") List<String> label,
        @Schema(examples = "{\"events\":300,\"bytes\":1536000}") Map<String, @Nullable BigDecimal> measures) implements Row {

    public static TopView of(TopLabels.Sum sum) {
        return new TopView(sum.label().values(), MeasuresView.present(sum.values()));
    }

    @Override
    public List<@Nullable Object> cells(List<Measure> declared) {
        List<@Nullable Object> cells = new ArrayList<>(label);
        declared.forEach(measure -> cells.add(measures.get(measure.name())));
        return cells;
    }
}
