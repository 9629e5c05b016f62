package dev.windrow.writer.flow;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

import dev.windrow.writer.message.Message;
import dev.windrow.writer.message.Provenance;

/**
 * Whether claims are still remembered when a message is counted. Replays check it too, but a replayed message may wait for
 * days in its queue.
 *
 * @param retention how long after a message was sent its claim is remembered
 */
public record ClaimRetention(Duration retention, Clock clock) {

    /** Whether a replayed message may have been counted and forgotten. */
    boolean isOver(Message message) {
        return message.attributes().containsKey(Provenance.SOURCE_MESSAGE_ID)
                && Instant.ofEpochMilli(message.identityMillis()).plus(retention).isBefore(clock.instant());
    }
}
