/**
 * How a process is asked to end.
 */
@NullMarked
package dev.windrow.signal;

import org.jspecify.annotations.NullMarked;
