/** The labels with the largest values, and the position of one: by sums, or by leaderboards that are kept. */
@NullMarked
package dev.windrow.gather.top;

import org.jspecify.annotations.NullMarked;
