package dev.windrow.bench.baseline;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.sqs.model.Message;

/** One UpdateItem per event, so many at a time. */
final class PlainWrites implements Consumer.Handling {

    private final DynamoDbAsyncClient client;
    private final int concurrency;
    private final boolean scattered;
    private final Queue<Write> waiting = new ArrayDeque<>();
    private int running;

    private record Write(PlainEvent event, CompletableFuture<Void> done) {
    }

    PlainWrites(DynamoDbAsyncClient client, int concurrency, boolean scattered) {
        this.client = client;
        this.concurrency = concurrency;
        this.scattered = scattered;
    }

    @Override
    public CompletableFuture<?> handle(List<Message> messages) {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (Message message : messages) {
            for (PlainEvent event : PlainEvent.read(message.body())) {
                CompletableFuture<Void> done = new CompletableFuture<>();
                all.add(done);
                synchronized (this) {
                    waiting.add(new Write(event, done));
                }
            }
        }
        startMore();
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
    }

    private void startMore() {
        while (true) {
            Write next;
            synchronized (this) {
                if (running == concurrency || waiting.isEmpty()) {
                    return;
                }
                running++;
                next = waiting.remove();
            }
            start(next);
        }
    }

    private void start(Write write) {
        CompletableFuture<?> unused = client.updateItem(write.event().request(scattered)).whenComplete((updated, failure) -> {
            synchronized (this) {
                running--;
            }
            if (failure == null) {
                write.done().complete(null);
            } else {
                write.done().completeExceptionally(failure);
            }
            startMore();
        });
    }
}
