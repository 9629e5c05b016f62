/**
 * Watches buckets: one look at a time for all who watch the same.
 */
@NullMarked
package dev.windrow.gather.live;

import org.jspecify.annotations.NullMarked;
