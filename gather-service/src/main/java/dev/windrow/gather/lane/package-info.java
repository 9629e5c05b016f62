/**
 * Reads the journal's lanes, which show how fresh buckets are.
 */
@NullMarked
package dev.windrow.gather.lane;

import org.jspecify.annotations.NullMarked;
