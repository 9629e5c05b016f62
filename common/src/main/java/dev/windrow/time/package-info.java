/** Times of events, the granularities that they are counted in, and how long their buckets are kept. */
@NullMarked
package dev.windrow.time;

import org.jspecify.annotations.NullMarked;
