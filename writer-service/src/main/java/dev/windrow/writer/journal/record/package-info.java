/**
 * What a claim adds, and its form in the table.
 */
@NullMarked
package dev.windrow.writer.journal.record;

import org.jspecify.annotations.NullMarked;
