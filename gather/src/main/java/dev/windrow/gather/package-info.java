/** The gatherer: fans a query out over the scatter shards and merges the results. */
@NullMarked
package dev.windrow.gather;

import org.jspecify.annotations.NullMarked;
