/**
 * Granularities, the buckets they cut time into, and the text form of instants.
 */
@NullMarked
package dev.windrow.time;

import org.jspecify.annotations.NullMarked;
