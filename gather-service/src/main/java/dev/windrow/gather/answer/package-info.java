/** Turns merged buckets into answers: series, top lists, positions, profiles and comparisons. Pure. */
@NullMarked
package dev.windrow.gather.answer;

import org.jspecify.annotations.NullMarked;
