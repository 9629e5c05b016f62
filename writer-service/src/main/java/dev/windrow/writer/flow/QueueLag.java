package dev.windrow.writer.flow;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.windrow.writer.message.Message;

/** How long messages wait in the queue, as those of the last receive show. Thread-safe. */
public final class QueueLag {

    private final Clock clock;
    private volatile Instant newest = Instant.MAX;

    public QueueLag(Clock clock) {
        this.clock = clock;
    }

    /** Messages were received; none say nothing. */
    void received(List<Message> messages) {
        messages.stream().map(Message::sent).max(Instant::compareTo).ifPresent(sent -> newest = sent);
    }

    /** Whether even the newest message of the last receive was sent longer ago than that. */
    boolean exceeds(Duration age) {
        return newest.isBefore(clock.instant().minus(age));
    }
}
