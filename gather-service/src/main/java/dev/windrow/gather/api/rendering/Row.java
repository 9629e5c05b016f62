package dev.windrow.gather.api.rendering;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.Dataset;

/** An item of an answer that can also be a line of a table. */
public interface Row {

    /** Its cells in the order of the columns; null for an empty one. */
    List<@Nullable Object> cells(Dataset dataset);

    /** The first columns, followed by one for each measure. */
    static List<String> columns(Dataset dataset, List<String> first) {
        List<String> columns = new ArrayList<>(first);
        dataset.measures().forEach(measure -> columns.add(measure.name()));
        return columns;
    }

    /** A cell for each attribute of the dataset's label; those that many labels differ in are empty. */
    static List<@Nullable Object> labelCells(Dataset dataset, List<String> values) {
        List<@Nullable Object> cells = new ArrayList<>(values);
        cells.addAll(Collections.nCopies(dataset.label().size() - values.size(), null));
        return cells;
    }
}
