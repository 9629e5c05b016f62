/**
 * Declared aggregations of event types, and the rules they must keep.
 */
@NullMarked
package dev.windrow.dataset;

import org.jspecify.annotations.NullMarked;
