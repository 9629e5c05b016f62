/** A queue in memory with SQS's rules of visibility. */
@NullMarked
package dev.windrow.bench.queue;

import org.jspecify.annotations.NullMarked;
