/** What a claim adds, and how it is stored in a record of the journal. */
@NullMarked
package dev.windrow.writer.record;

import org.jspecify.annotations.NullMarked;
