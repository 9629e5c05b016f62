/** The journal under faults, in virtual time: writers, a table and a queue that do everything the real ones may do. */
@NullMarked
package dev.windrow.writer.journal.simulation;

import org.jspecify.annotations.NullMarked;
