/** Pages of buckets in time order. */
@NullMarked
package dev.windrow.gather.buckets;

import org.jspecify.annotations.NullMarked;
