/** A table in memory: items, the expressions that the writer sends, and what they cost. Pure. */
@NullMarked
package dev.windrow.bench.table;

import org.jspecify.annotations.NullMarked;
