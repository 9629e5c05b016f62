/** The storage format: keys, names and limits of the table and its index, and the freshness that lanes report. */
@NullMarked
package dev.windrow.table;

import org.jspecify.annotations.NullMarked;
