/**
 * Tests of the packaged service: the jar, or with {@code -Dnative} the executable.
 */
@NullMarked
package dev.windrow.gather.packaged;

import org.jspecify.annotations.NullMarked;
