package dev.windrow.provision;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * How to poll for something that DynamoDB does asynchronously.
 *
 * @param interval pause between two polls, more than 0
 * @param polls maximum number of polls, one or more
 */
public record WaiterPolicy(Duration interval, int polls) {

    public WaiterPolicy {
        if (interval.isZero() || interval.isNegative()) {
            throw new IllegalArgumentException("interval: expected more than 0 s, found " + interval);
        }
        SettingChecks.requireBetween("polls", polls, 1, Long.MAX_VALUE);
    }

    /** Five minutes, with a poll each second: a new table takes some ten seconds, a busy account longer. */
    public static WaiterPolicy defaults() {
        return new WaiterPolicy(Duration.ofSeconds(1), 300);
    }

    /** Maximum wait in all, without the time the polls themselves take. */
    Duration total() {
        return interval.multipliedBy(polls - 1L);
    }

    /** Polls until there is a result; empty after the last poll without one. */
    <T> CompletionStage<Optional<T>> await(Supplier<CompletionStage<Optional<T>>> check) {
        return poll(check, polls);
    }

    private <T> CompletionStage<Optional<T>> poll(Supplier<CompletionStage<Optional<T>>> check, int left) {
        return check.get().thenCompose(answer -> {
            if (answer.isPresent() || left == 1) {
                return CompletableFuture.completedFuture(answer);
            }
            Executor later = CompletableFuture.delayedExecutor(interval.toMillis(), TimeUnit.MILLISECONDS);
            return CompletableFuture.supplyAsync(() -> poll(check, left - 1), later).thenCompose(next -> next);
        });
    }
}
