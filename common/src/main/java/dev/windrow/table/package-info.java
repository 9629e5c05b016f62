/** The storage format: keys, names and limits of the table and its index, and what lanes say about freshness. */
@NullMarked
package dev.windrow.table;

import org.jspecify.annotations.NullMarked;
