package dev.windrow.provision;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * How to poll for something that AWS does asynchronously.
 *
 * @param interval pause between two polls, more than 0
 * @param polls maximum number of polls, at least one
 */
public record WaiterPolicy(Duration interval, int polls) {

    /** Five minutes, with a poll every second: a new table takes some ten seconds, in a busy account longer. */
    public static WaiterPolicy defaults() {
        return new WaiterPolicy(Duration.ofSeconds(1), 300);
    }

    /** Maximum total wait, excluding the time that the polls themselves take. */
    Duration total() {
        return interval.multipliedBy(polls - 1L);
    }

    /** Polls until there is a result, and blocks until then; empty if the last poll has none. */
    <T> Optional<T> await(Supplier<Optional<T>> check) {
        Optional<T> answer = check.get();
        for (int left = polls; answer.isEmpty() && left > 1; left--) {
            try {
                Thread.sleep(interval.toMillis());
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", stopped);
            }
            answer = check.get();
        }
        return answer;
    }
}
