/**
 * What is known of each message in memory: what became of its contributions, when its visibility timeout must be extended,
 * and the order of its FIFO group. Pure.
 */
@NullMarked
package dev.windrow.writer.inflight.pending;

import org.jspecify.annotations.NullMarked;
