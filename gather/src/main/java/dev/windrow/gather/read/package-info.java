/**
 * The fan-out over shards, from reads to merged buckets: bounded in every way, with retries, hedges, the page cache and lanes.
 */
@NullMarked
package dev.windrow.gather.read;

import org.jspecify.annotations.NullMarked;
