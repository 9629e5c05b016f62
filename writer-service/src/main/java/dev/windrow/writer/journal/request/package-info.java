/**
 * What the journal wants done, and the answers it understands.
 */
@NullMarked
package dev.windrow.writer.journal.request;

import org.jspecify.annotations.NullMarked;
