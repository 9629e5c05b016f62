package dev.windrow.quickstart;

import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import dev.windrow.quickstart.check.GatherClient;
import dev.windrow.quickstart.process.QueueClient;
import dev.windrow.quickstart.traffic.Click;
import dev.windrow.quickstart.traffic.ClickMessages;

/** Posts clicks to the queue, prints its progress, and waits until they are counted. */
final class Replay {

    private static final int BATCH = 10;
    private static final int EVENTS_BETWEEN_LINES = 5_000;
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final Duration POLL = Duration.ofMillis(200);

    private final QueueClient queue;
    private final PrintStream out;

    Replay(QueueClient queue, PrintStream out) {
        this.queue = queue;
        this.out = out;
    }

    /** Posts all clicks; how many there were. */
    int send(Iterator<Click> clicks) {
        ClickMessages messages = new ClickMessages(clicks);
        int sent = 0;
        int printed = 0;
        while (messages.hasNext()) {
            List<String> bodies = new ArrayList<>();
            while (messages.hasNext() && bodies.size() < BATCH) {
                ClickMessages.Message message = messages.next();
                bodies.add(message.body());
                sent += message.events();
            }
            queue.send(bodies);
            if (sent - printed >= EVENTS_BETWEEN_LINES) {
                printed = sent;
                print(sent);
            }
        }
        if (sent > printed) {
            print(sent);
        }
        return sent;
    }

    /**
     * Waits until the queue is empty, which it is once the writer has claimed every message and deleted it.
     *
     * @throws IllegalStateException after five minutes
     */
    void awaitClaimed() throws InterruptedException {
        await(() -> queue.depth() == 0, () -> "the writer has not emptied the queue; " + queue.depth() + " messages are left");
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
        out.println("  all of them are counted");
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

    private void print(int sent) {
        out.printf("  %,d events sent, %,d messages in the queue%n", sent, queue.depth());
    }
}
