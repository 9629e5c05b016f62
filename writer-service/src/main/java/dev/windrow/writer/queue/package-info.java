/** Everything about SQS: receives, messages in flight, visibility timeouts, deletes, dead letters and their replay. */
@NullMarked
package dev.windrow.writer.queue;

import org.jspecify.annotations.NullMarked;
