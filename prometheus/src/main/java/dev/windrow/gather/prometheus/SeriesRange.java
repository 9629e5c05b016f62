package dev.windrow.gather.prometheus;

import java.time.Instant;

/**
 * The range in which series are searched.
 *
 * @param from earliest time
 * @param to latest time, inclusive
 * @param limit maximum number of items in the answer
 */
record SeriesRange(Instant from, Instant to, int limit) {
}
