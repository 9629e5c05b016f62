/** Polls watched buckets: once for all clients that watch the same. */
@NullMarked
package dev.windrow.gather.live;

import org.jspecify.annotations.NullMarked;
