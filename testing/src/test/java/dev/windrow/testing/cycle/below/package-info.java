/** Breaks the rules, to show that they see it. */
@NullMarked
package dev.windrow.testing.cycle.below;

import org.jspecify.annotations.NullMarked;
