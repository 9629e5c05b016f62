/** Tests of the journal's claims. */
@NullMarked
package dev.windrow.writer.journal.claim;

import org.jspecify.annotations.NullMarked;
