/** Tests of the journal's records. */
@NullMarked
package dev.windrow.writer.journal.record;

import org.jspecify.annotations.NullMarked;
