package dev.windrow.gather.api.rendering;

import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.windrow.measure.Measure;

/** An item of an answer that can also be a line of a table. */
public interface Row {

    /** Its cells in the order of the columns; null for an empty one. */
    List<@Nullable Object> cells(List<Measure> measures);
}
