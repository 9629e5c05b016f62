/** All that is done with SQS: receiving, what is in flight, its visibility, deletes, dead letters and their replay. */
@NullMarked
package dev.windrow.writer.queue;

import org.jspecify.annotations.NullMarked;
