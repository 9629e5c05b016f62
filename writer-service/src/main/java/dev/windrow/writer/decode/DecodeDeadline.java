package dev.windrow.writer.decode;

import java.time.Duration;
import java.util.function.LongSupplier;

import dev.windrow.base.Durations;
import dev.windrow.base.Reason;

/** How long the decoding of one message may take. Looks at the clock only now and then. */
final class DecodeDeadline {

    private static final int STEPS_BETWEEN_LOOKS = 256;

    private final LongSupplier nanoTime;
    private final Duration limit;
    private final long start;
    private int steps;

    DecodeDeadline(LongSupplier nanoTime, Duration limit) {
        this.nanoTime = nanoTime;
        this.limit = limit;
        this.start = nanoTime.getAsLong();
    }

    /** @throws MessageRejectedException with {@link Reason#TIMED_OUT} once the time is over */
    void step() {
        if (++steps % STEPS_BETWEEN_LOOKS == 0 && nanoTime.getAsLong() - start > limit.toNanos()) {
            throw new MessageRejectedException(Reason.TIMED_OUT, "message",
                    "expected to be decoded within " + Durations.text(limit));
        }
    }
}
