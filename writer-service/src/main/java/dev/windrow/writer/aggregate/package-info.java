/**
 * Turns events into contributions, gathers those of a series, and says which series are due to be written.
 */
@NullMarked
package dev.windrow.writer.aggregate;

import org.jspecify.annotations.NullMarked;
