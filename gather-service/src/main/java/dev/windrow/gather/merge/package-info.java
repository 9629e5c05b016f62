/** Merges the answers of the shards into one stream in sort key order. */
@NullMarked
package dev.windrow.gather.merge;

import org.jspecify.annotations.NullMarked;
