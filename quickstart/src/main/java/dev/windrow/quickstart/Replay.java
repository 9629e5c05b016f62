package dev.windrow.quickstart;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

import dev.windrow.quickstart.process.QueueClient;
import dev.windrow.quickstart.traffic.Click;
import dev.windrow.quickstart.traffic.ClickMessages;

/** Posts clicks to the queue, prints its progress, and waits until the writer has consumed them. */
final class Replay {

    private static final int BATCH = 10;
    private static final int EVENTS_BETWEEN_LINES = 5_000;
    private static final Duration DRAIN_LIMIT = Duration.ofMinutes(5);
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
     * Waits until the queue is empty, which it is once every message was written and deleted.
     *
     * @throws IllegalStateException after five minutes
     */
    void awaitWritten() throws InterruptedException {
        long deadline = System.nanoTime() + DRAIN_LIMIT.toNanos();
        int depth = queue.depth();
        while (depth > 0) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("the writer has not emptied the queue within " + DRAIN_LIMIT.toMinutes()
                        + " minutes; " + depth + " messages are left");
            }
            Thread.sleep(POLL.toMillis());
            depth = queue.depth();
        }
        out.println("  all of them are written");
    }

    private void print(int sent) {
        out.printf("  %,d events sent, %,d messages in the queue%n", sent, queue.depth());
    }
}
