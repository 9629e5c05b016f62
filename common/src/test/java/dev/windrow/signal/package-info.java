/**
 * Tests of how a process ends.
 */
@NullMarked
package dev.windrow.signal;

import org.jspecify.annotations.NullMarked;
