/** Reads of one shard, of items and of lanes: bounded in every way, with retries, hedges and a page cache. */
@NullMarked
package dev.windrow.gather.read;

import org.jspecify.annotations.NullMarked;
