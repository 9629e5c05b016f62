/**
 * How items are spread over index partitions: strategies, widths and epochs.
 */
@NullMarked
package dev.windrow.scatter;

import org.jspecify.annotations.NullMarked;
