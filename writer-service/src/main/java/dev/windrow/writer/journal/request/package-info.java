/**
 * The requests that the journal makes, and the answers it understands.
 */
@NullMarked
package dev.windrow.writer.journal.request;

import org.jspecify.annotations.NullMarked;
