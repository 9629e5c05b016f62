package dev.windrow.writer;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.windrow.writer.decode.Message;

/** How long messages wait in the queue, judged by the last receive. Thread-safe. */
final class QueueLag {

    private final Clock clock;
    private volatile Instant newest = Instant.MAX;

    QueueLag(Clock clock) {
        this.clock = clock;
    }

    /** Records a received batch; an empty one is ignored. */
    void received(List<Message> messages) {
        messages.stream().map(Message::sent).max(Instant::compareTo).ifPresent(sent -> newest = sent);
    }

    /** Whether even the newest message of the last receive is older than this. */
    boolean exceeds(Duration age) {
        return newest.isBefore(clock.instant().minus(age));
    }
}
