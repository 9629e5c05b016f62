/** Tests of the journal. */
@NullMarked
package dev.windrow.writer.journal;

import org.jspecify.annotations.NullMarked;
