/**
 * The gatherer against a reference model: the answers to generated queries about generated datasets and events are computed
 * independently in memory and compared exactly; and the gatherer under faults and load.
 */
@NullMarked
package dev.windrow.gather.model;

import org.jspecify.annotations.NullMarked;
