/** Buckets as they change, as server-sent events. */
@NullMarked
package dev.windrow.gather.live;

import org.jspecify.annotations.NullMarked;
