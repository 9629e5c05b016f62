package dev.windrow.quickstart;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import dev.windrow.quickstart.EventMessages.Message;

/** Posts events to the queue, prints its progress, and waits until they are counted. */
final class Replay {

    /** What SQS takes at a time. */
    private static final int BATCH = 10;
    private static final int BATCH_BYTES = 256 * 1_024;
    private static final int EVENTS_BETWEEN_LINES = 10_000;
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final Duration POLL = Duration.ofMillis(200);

    private final QueueClient queue;
    private final PrintStream out;

    Replay(QueueClient queue, PrintStream out) {
        this.queue = queue;
        this.out = out;
    }

    /** Posts all messages; how many events they had. */
    long send(Iterator<Message> messages) {
        return send(messages, (id, message) -> {
        });
    }

    /**
     * Posts all messages; how many events they had.
     *
     * @param posted takes each message with the id that the queue gave it
     */
    long send(Iterator<Message> messages, BiConsumer<String, Message> posted) {
        Progress progress = new Progress();
        post(messages, (id, message) -> {
            posted.accept(id, message);
            progress.add(message.events());
        });
        progress.print();
        return progress.sent;
    }

    private final class Progress {

        private long sent;
        private long printed;

        void add(int events) {
            sent += events;
            if (sent - printed >= EVENTS_BETWEEN_LINES) {
                print();
            }
        }

        void print() {
            if (sent > printed) {
                printed = sent;
                out.printf("  %,d events sent, %,d messages in the queue%n", sent, queue.depth());
            }
        }
    }

    /** Posts all messages, and says nothing. */
    void post(Iterator<Message> messages) {
        post(messages, (id, message) -> {
        });
    }

    private void post(Iterator<Message> messages, BiConsumer<String, Message> posted) {
        List<Message> batch = new ArrayList<>();
        int bytes = 0;
        while (messages.hasNext()) {
            Message message = messages.next();
            int more = message.body().getBytes(StandardCharsets.UTF_8).length;
            if (batch.size() == BATCH || (!batch.isEmpty() && bytes + more > BATCH_BYTES)) {
                post(batch, posted);
                bytes = 0;
            }
            batch.add(message);
            bytes += more;
        }
        post(batch, posted);
    }

    private void post(List<Message> batch, BiConsumer<String, Message> posted) {
        if (!batch.isEmpty()) {
            List<String> ids = queue.send(batch.stream().map(Message::body).toList());
            for (int i = 0; i < batch.size(); i++) {
                posted.accept(ids.get(i), batch.get(i));
            }
            batch.clear();
        }
    }

    /**
     * Waits until the queue is empty, which it is once the writer has claimed every message and deleted it.
     *
     * @throws IllegalStateException if there were not fewer messages for five minutes
     */
    void awaitClaimed() throws InterruptedException {
        for (int left = queue.depth(); left > 0; left = queue.depth()) {
            int before = left;
            await(() -> queue.depth() < before, () -> "the writer has not emptied the queue; " + before + " messages are left");
        }
    }

    /**
     * Waits until what was sent is in the buckets as well: claimed messages are added to them a little later, and
     * {@code asOf} says up to when that is done.
     *
     * @param granularities those whose buckets are waited for
     * @throws IllegalStateException after five minutes each, for the queue and for every granularity
     */
    void awaitCounted(GatherClient gather, String dataset, Collection<String> granularities) throws InterruptedException {
        awaitClaimed();
        Instant claimed = Instant.now();
        for (String granularity : granularities) {
            await(() -> gather.asOf(dataset, granularity).isAfter(claimed),
                    () -> "the buckets of " + granularity + " lack events sent before " + claimed);
        }
    }

    private static void await(BooleanSupplier condition, Supplier<String> problem) throws InterruptedException {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("after " + LIMIT.toMinutes() + " minutes " + problem.get());
            }
            Thread.sleep(POLL.toMillis());
        }
    }
}
