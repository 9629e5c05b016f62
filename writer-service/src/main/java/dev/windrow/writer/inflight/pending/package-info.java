/**
 * What is known of each message in memory: what of it cannot be counted, when its visibility timeout must be extended,
 * and the order of its FIFO group. Pure.
 */
@NullMarked
package dev.windrow.writer.inflight.pending;

import org.jspecify.annotations.NullMarked;
