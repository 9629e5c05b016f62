/**
 * The journal: messages are claimed once, durably, together with all that they add; what they add is then applied by plain
 * updates that are idempotent by position. A state machine without clock, thread, randomness or client of its own; see
 * docs/journal.md.
 */
@NullMarked
package dev.windrow.writer.journal;

import org.jspecify.annotations.NullMarked;
