/**
 * From reads to merged buckets: the fan-out over shards, bounded in every way, with retries, hedges, the page cache and lanes.
 */
@NullMarked
package dev.windrow.gather.read;

import org.jspecify.annotations.NullMarked;
