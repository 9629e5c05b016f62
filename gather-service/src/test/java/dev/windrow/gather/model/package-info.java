/**
 * The gatherer against a reference model: generated datasets, events and questions, whose answers are worked out anew in
 * memory and compared exactly; and the gatherer under faults and load.
 */
@NullMarked
package dev.windrow.gather.model;

import org.jspecify.annotations.NullMarked;
