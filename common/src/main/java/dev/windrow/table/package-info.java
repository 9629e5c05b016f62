/**
 * The storage format: names and limits of the table and its index.
 */
@NullMarked
package dev.windrow.table;

import org.jspecify.annotations.NullMarked;
