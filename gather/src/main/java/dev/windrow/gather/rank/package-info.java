/** Leaderboards: which ranks can answer, and the places that their items are read from. No I/O. */
@NullMarked
package dev.windrow.gather.rank;

import org.jspecify.annotations.NullMarked;
