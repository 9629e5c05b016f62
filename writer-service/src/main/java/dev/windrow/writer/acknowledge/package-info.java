/**
 * Requests to SQS about received messages, in batches: delete them, return them, extend their visibility timeout.
 */
@NullMarked
package dev.windrow.writer.acknowledge;

import org.jspecify.annotations.NullMarked;
