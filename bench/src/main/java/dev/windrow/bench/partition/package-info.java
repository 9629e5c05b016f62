/** The partition model: capacity of each partition key, units that requests cost, lag and latency. Pure. */
@NullMarked
package dev.windrow.bench.partition;

import org.jspecify.annotations.NullMarked;
