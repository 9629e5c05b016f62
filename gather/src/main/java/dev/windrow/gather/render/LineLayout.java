package dev.windrow.gather.render;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.Dataset;

/**
 * The columns of a table: the attributes of the label, further columns, and the measures and ratios.
 *
 * @param places the position in the label of each label value of a row
 */
public record LineLayout(Dataset dataset, List<Integer> places) {

    /** The layout of rows that have all values of the label, or the first ones. */
    public static LineLayout of(Dataset dataset) {
        return new LineLayout(dataset, IntStream.range(0, dataset.label().size()).boxed().toList());
    }

    /** The first columns, followed by one for each measure and ratio. */
    public List<String> columns(List<String> first) {
        List<String> columns = new ArrayList<>(first);
        dataset.columns().forEach(column -> columns.add(column.name()));
        return columns;
    }

    /** Returns a cell for each attribute of the label; attributes that are not part of the row's group are empty. */
    public List<@Nullable Object> labelCells(List<String> values) {
        List<@Nullable Object> cells = new ArrayList<>(Collections.nCopies(dataset.label().size(), null));
        for (int i = 0; i < values.size(); i++) {
            cells.set(places.get(i), values.get(i));
        }
        return cells;
    }

    public List<@Nullable Object> withNumbers(List<@Nullable Object> first, Map<String, @Nullable BigDecimal> numbers) {
        List<@Nullable Object> cells = new ArrayList<>(first);
        dataset.columns().forEach(column -> cells.add(numbers.get(column.name())));
        return cells;
    }
}
