/** Pages of buckets: the query and its answer. */
@NullMarked
package dev.windrow.gather.buckets;

import org.jspecify.annotations.NullMarked;
