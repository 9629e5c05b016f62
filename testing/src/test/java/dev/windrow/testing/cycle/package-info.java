/** Breaks the rules, to show that they see it. */
@NullMarked
package dev.windrow.testing.cycle;

import org.jspecify.annotations.NullMarked;
