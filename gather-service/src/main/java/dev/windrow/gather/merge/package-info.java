/**
 * Merges the sorted answers of many shards into one sorted stream of buckets. Pure.
 */
@NullMarked
package dev.windrow.gather.merge;

import org.jspecify.annotations.NullMarked;
