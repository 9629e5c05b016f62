package dev.windrow.gather.render;

import java.util.List;

import org.jspecify.annotations.Nullable;

/** An item of an answer that can also be a line of a table. */
public interface LineRow {

    /** Returns the row's cells in the order of the columns; null for an empty one. */
    List<@Nullable Object> cells(LineLayout layout);
}
