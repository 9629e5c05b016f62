/**
 * What the journal's lanes say about buckets: written by writers, read by gatherers.
 */
@NullMarked
package dev.windrow.lane;

import org.jspecify.annotations.NullMarked;
