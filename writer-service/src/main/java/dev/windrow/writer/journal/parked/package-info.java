/**
 * Parked additions as dead letters, and back.
 */
@NullMarked
package dev.windrow.writer.journal.parked;

import org.jspecify.annotations.NullMarked;
