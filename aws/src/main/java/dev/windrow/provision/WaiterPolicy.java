package dev.windrow.provision;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * How long to wait for something that DynamoDB does in its own time.
 *
 * @param interval pause between two questions, more than 0
 * @param questions how often to ask at most, one or more
 */
public record WaiterPolicy(Duration interval, int questions) {

    public WaiterPolicy {
        if (interval.isZero() || interval.isNegative()) {
            throw new IllegalArgumentException("interval: expected more than 0 s, found " + interval);
        }
        SettingChecks.requireBetween("questions", questions, 1, Long.MAX_VALUE);
    }

    /** Five minutes, asking each second: a new table takes some ten seconds, a busy account longer. */
    public static WaiterPolicy defaults() {
        return new WaiterPolicy(Duration.ofSeconds(1), 300);
    }

    /** Longest wait in all, without the time the questions themselves take. */
    Duration total() {
        return interval.multipliedBy(questions - 1L);
    }

    /** Asks until there is an answer; empty once patience has ended. */
    <T> CompletionStage<Optional<T>> await(Supplier<CompletionStage<Optional<T>>> question) {
        return ask(question, questions);
    }

    private <T> CompletionStage<Optional<T>> ask(Supplier<CompletionStage<Optional<T>>> question, int left) {
        return question.get().thenCompose(answer -> {
            if (answer.isPresent() || left == 1) {
                return CompletableFuture.completedFuture(answer);
            }
            Executor later = CompletableFuture.delayedExecutor(interval.toMillis(), TimeUnit.MILLISECONDS);
            return CompletableFuture.supplyAsync(() -> ask(question, left - 1), later).thenCompose(next -> next);
        });
    }
}
