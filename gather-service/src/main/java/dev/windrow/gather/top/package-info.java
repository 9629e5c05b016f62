/** The labels with the largest values, and the position of one label, from sums or from leaderboards. */
@NullMarked
package dev.windrow.gather.top;

import org.jspecify.annotations.NullMarked;
