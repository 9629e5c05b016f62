package dev.windrow.bench.baseline;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/**
 * Adds up what arrives within a window, and writes it when the window ends; messages are deleted when it is written. At least
 * once: what is written but not yet deleted counts again if the process ends.
 */
final class Window {

    private final DynamoDbAsyncClient dynamoDb;
    private final List<String> granularities;
    private Totals totals;
    private CompletableFuture<Object> written = new CompletableFuture<>();

    Window(DynamoDbAsyncClient dynamoDb, List<String> granularities, Duration length) {
        this.dynamoDb = dynamoDb;
        this.granularities = granularities;
        this.totals = new Totals(granularities);
        Future<?> unused = Executors.newSingleThreadScheduledExecutor().scheduleAtFixedRate(this::end, length.toMillis(),
                length.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Completes when these messages are in the table. */
    synchronized CompletableFuture<?> add(List<String> bodies) {
        bodies.forEach(totals::add);
        return written;
    }

    private void end() {
        Totals ended;
        CompletableFuture<Object> done;
        synchronized (this) {
            ended = totals;
            done = written;
            totals = new Totals(granularities);
            written = new CompletableFuture<>();
        }
        CompletableFuture<?> unused = ended.write(dynamoDb).whenComplete((all, failure) -> {
            if (failure == null) {
                done.complete("written");
            } else {
                done.completeExceptionally(failure);
            }
        });
    }
}
