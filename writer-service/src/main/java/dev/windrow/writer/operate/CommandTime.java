package dev.windrow.writer.operate;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A command's clock, which tests replace. */
interface CommandTime {

    CommandTime SYSTEM = new CommandTime() {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public void pause(Duration duration) {
            try {
                TimeUnit.NANOSECONDS.sleep(duration.toNanos());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
        }
    };

    /** Returns a time like {@link System#nanoTime()}. */
    long nanos();

    /** Blocks; returns at once if the duration is not positive. */
    void pause(Duration duration);
}
