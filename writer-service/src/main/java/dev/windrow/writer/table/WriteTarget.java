package dev.windrow.writer.table;

import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;

/** The table, its health, and a listener for each write that ended, with its failure if any. */
public record WriteTarget(TableClient table, TableHealth health, BiConsumer<TableWrite, @Nullable Throwable> ended) {
}
