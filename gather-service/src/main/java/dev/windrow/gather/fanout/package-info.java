/**
 * The fan-out: reads the shards, bounded in every way, and drives the merge with their pages.
 */
@NullMarked
package dev.windrow.gather.fanout;

import org.jspecify.annotations.NullMarked;
