package dev.windrow.gather.api.rendering;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonInclude;

import dev.windrow.dataset.Dataset;
import dev.windrow.gather.answer.TopGroups;
import dev.windrow.gather.query.TopQuery;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * A group in a top list.
 *
 * @param label the values that its labels share; a whole label if they are not grouped
 * @param measures its measures over the range; one without a value is absent, or, if ranges are compared, 0 if it adds up,
 *        else null
 * @param against the same over the other range; absent if none is compared
 * @param change by measure, from the other range; null where either has no value; absent if none is compared
 */
@RegisterForReflection
@Schema(name = "TopLabel")
public record TopView(
        @Schema(examples = "[\"https://example.org/\"]") List<String> label,
        @Schema(examples = "{\"events\":300,\"bytes\":1536000}") Map<String, @Nullable BigDecimal> measures,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Map<String, @Nullable BigDecimal> against,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Map<String, CompareView.@Nullable ChangeView> change)
        implements
            Row {

    /** A group of an execution. */
    public static TopView of(TopGroups.Sum sum) {
        if (sum.against().isEmpty()) {
            return new TopView(sum.label().values(), MeasuresView.present(sum.values()), null, null);
        }
        Map<String, @Nullable BigDecimal> now = MeasuresView.total(sum.values());
        Map<String, @Nullable BigDecimal> then = MeasuresView.total(sum.against().get());
        return new TopView(sum.label().values(), now, then, CompareView.changes(then, now));
    }

    /** Column names. */
    public static List<String> columns(TopQuery query) {
        Dataset dataset = query.scope().named();
        List<String> columns = Row.columns(dataset, dataset.label());
        if (query.against().isPresent()) {
            dataset.measures().forEach(measure -> columns.addAll(List.of("against." + measure.name(),
                    "change." + measure.name(), "change." + measure.name() + ".relative")));
        }
        return columns;
    }

    @Override
    public List<@Nullable Object> cells(Dataset dataset) {
        List<@Nullable Object> cells = Row.labelCells(dataset, label);
        dataset.measures().forEach(measure -> cells.add(measures.get(measure.name())));
        if (against != null && change != null) {
            dataset.measures().forEach(measure -> {
                CompareView.ChangeView changed = change.get(measure.name());
                cells.add(against.get(measure.name()));
                cells.add(changed == null ? null : changed.absolute());
                cells.add(changed == null ? null : changed.relative());
            });
        }
        return cells;
    }
}
