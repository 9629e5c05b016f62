/** Changes of buckets as they happen, by server-sent events. */
@NullMarked
package dev.windrow.gather.live;

import org.jspecify.annotations.NullMarked;
