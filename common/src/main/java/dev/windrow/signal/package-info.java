/**
 * Termination signals.
 */
@NullMarked
package dev.windrow.signal;

import org.jspecify.annotations.NullMarked;
