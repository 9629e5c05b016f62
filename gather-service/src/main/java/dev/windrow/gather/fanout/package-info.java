/**
 * Asks the shards, bounded in all directions, and drives the merge with their answers.
 */
@NullMarked
package dev.windrow.gather.fanout;

import org.jspecify.annotations.NullMarked;
