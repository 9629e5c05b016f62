/** The gatherer: fans a question out over the scatter shards and merges the answers. */
@NullMarked
package dev.windrow.gather;

import org.jspecify.annotations.NullMarked;
