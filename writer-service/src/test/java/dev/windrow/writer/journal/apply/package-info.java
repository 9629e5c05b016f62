/** Applying records: cells and their sizes. */
@NullMarked
package dev.windrow.writer.journal.apply;

import org.jspecify.annotations.NullMarked;
