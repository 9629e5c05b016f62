/**
 * Server-sent events for clients that watch buckets.
 */
@NullMarked
package dev.windrow.gather.api.live;

import org.jspecify.annotations.NullMarked;
