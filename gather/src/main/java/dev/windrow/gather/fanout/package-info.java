/** Fans a query out over all shards, within limits, and merges what they return. */
@NullMarked
package dev.windrow.gather.fanout;

import org.jspecify.annotations.NullMarked;
