package dev.windrow.gather.top;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonInclude;

import dev.windrow.dataset.Column;
import dev.windrow.dataset.Dataset;
import dev.windrow.gather.render.LineLayout;
import dev.windrow.gather.render.LineRow;
import dev.windrow.gather.render.MeasuresView;
import dev.windrow.gather.totals.ChangeView;
import dev.windrow.gather.totals.CompareView;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * A group in a top list.
 *
 * @param label the values that its labels share; a whole label if they are not grouped
 * @param measures its measures over the range; one without a value is 0 if it adds up, else absent, or null if ranges are
 *        compared
 * @param against the same over the other range; absent if none is compared
 * @param change by measure, from the other range; null if either has no value; absent if none is compared
 */
@RegisterForReflection
@Schema(name = "TopLabel")
public record TopView(
        @Schema(examples = "[\"https://example.org/\"]") List<String> label,
        @Schema(examples = "{\"events\":300,\"bytes\":1536000}") Map<String, @Nullable BigDecimal> measures,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Map<String, @Nullable BigDecimal> against,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Map<String, ChangeView> change)
        implements
            LineRow {

    static TopView of(GroupSum sum, List<Column> columns) {
        if (sum.against().isEmpty()) {
            return new TopView(sum.label().values(), MeasuresView.known(sum.values(), columns), null, null);
        }
        Map<String, @Nullable BigDecimal> now = MeasuresView.total(sum.values(), columns);
        Map<String, @Nullable BigDecimal> then = MeasuresView.total(sum.against().get(), columns);
        return new TopView(sum.label().values(), now, then, CompareView.changes(then, now));
    }

    public static List<String> columns(TopQuery query) {
        Dataset dataset = query.scope().named();
        List<String> columns = LineLayout.of(dataset).columns(dataset.label());
        if (query.against().isPresent()) {
            dataset.columns().forEach(column -> columns.addAll(List.of("against." + column.name(),
                    "change." + column.name(), "change." + column.name() + ".relative")));
        }
        return columns;
    }

    @Override
    public List<@Nullable Object> cells(LineLayout layout) {
        List<@Nullable Object> cells = layout.withNumbers(layout.labelCells(label), measures);
        if (against != null && change != null) {
            layout.dataset().columns().forEach(column -> {
                ChangeView changed = change.get(column.name());
                cells.add(against.get(column.name()));
                cells.add(changed == null ? null : changed.absolute());
                cells.add(changed == null ? null : changed.relative());
            });
        }
        return cells;
    }
}
