/** Spreads the items of a partition key over the key shards of an index, which each take 1,000 writes a second. */
@NullMarked
package dev.windrow.scatter;

import org.jspecify.annotations.NullMarked;
