/** Receives messages from the queues, no more than the in-flight limiter admits (backpressure). */
@NullMarked
package dev.windrow.writer.source;

import org.jspecify.annotations.NullMarked;
