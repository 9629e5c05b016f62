/**
 * Writes the contributions of a series to the table, at least once or exactly once, within the table's means.
 */
@NullMarked
package dev.windrow.writer.store;

import org.jspecify.annotations.NullMarked;
