/**
 * Declared aggregations of event types and the rules they must follow: measures, granularities, times, and the shards that
 * buckets are scattered over.
 */
@NullMarked
package dev.windrow.dataset;

import org.jspecify.annotations.NullMarked;
