/**
 * Declared aggregations of event types and the rules they must follow.
 */
@NullMarked
package dev.windrow.dataset;

import org.jspecify.annotations.NullMarked;
