package dev.windrow.writer.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.windrow.writer.decode.MemoryBudget;
import dev.windrow.writer.inflight.InFlightLimiter;
import dev.windrow.writer.inflight.pending.PendingMessage;
import dev.windrow.writer.message.Message;
import dev.windrow.writer.message.MessageBody;
import io.smallrye.mutiny.Uni;

class DecodeQueueTest {

    private static final long ROOM = 1 << 20;

    private final InFlightLimiter limiter = new InFlightLimiter(1_000, ROOM, () -> 0);
    private final Deque<Runnable> workers = new ArrayDeque<>();
    private final List<String> decoded = new ArrayList<>();
    private final List<String> attempts = new ArrayList<>();
    private final Map<String, Long> needs = new HashMap<>();
    private final Map<String, Error> faults = new HashMap<>();
    private final Map<String, PendingMessage> messages = new HashMap<>();
    private long now;
    private final DecodeQueue queue = new DecodeQueue(limiter, workers::add, 2, ROOM / 2, () -> now, this::decode);

    @Test
    void decodesSomeAtATime() {
        add("a", 1, null);
        add("b", 2, null);
        add("c", 1, null);
        assertThat(workers).as("at a time").hasSize(2);
        workers.add(workers.remove());
        work();
        assertThat(decoded).as("b and c at a time, c by who was ready first").containsExactly("b", "c", "a");
        assertThat(limiter.bytes()).as("what was taken while it was decoded").isZero();
    }

    @Test
    void aMessageThatNeedsMoreThanThereIsWaitsUntilTheOthersAreWritten() {
        add("a", 1, null);
        work();
        limiter.grow(ROOM / 2 + 1);
        needs.put("b", ROOM / 2);
        add("b", 1, null);
        work();
        add("c", 1, null);
        work();
        assertThat(decoded).as("nothing overtakes it").containsExactly("a");
        assertThat(queue.isWaitingForWrites()).isTrue();

        // When a is written
        limiter.shrink(ROOM / 2 + 1);
        end("a");

        work();
        assertThat(decoded).containsExactly("a", "b", "c");
        assertThat(queue.isWaitingForWrites()).isFalse();
    }

    @Test
    void aMessageThatNeedsMoreThanTheRoomHasIsDecodedWhenNothingElseIsHeld() {
        needs.put("a", 3 * ROOM);
        add("a", 1, null);
        work();
        assertThat(decoded).containsExactly("a");
        assertThat(limiter.bytes()).isZero();
    }

    @Test
    void suspectsComeOneAtATimeWithNothingElseHeld() {
        add("s", 3, null);
        add("t", 3, null);
        add("a", 1, null);
        Runnable first = workers.remove();
        assertThat(workers).as("s is alone").isEmpty();
        first.run();
        work();
        assertThat(decoded).as("t waits until s is written, a for the suspects' turn").containsExactly("s");

        // When s is written
        end("s");

        work();
        assertThat(decoded).containsExactly("s", "t", "a");
    }

    @Test
    void suspectsDoNotWaitForEverNorLetOthersWaitForEver() {
        add("a", 1, null);
        work();
        add("s", 3, null);
        add("b", 1, null);
        work();
        assertThat(decoded).as("a is not written").containsExactly("a");

        // When a has not been written for longer than a second
        now += TimeUnit.MILLISECONDS.toNanos(1_100);
        queue.next();

        work();
        assertThat(decoded).containsExactly("a", "s", "b");
    }

    @Test
    void keepsTheOrderOfAGroup() {
        add("a", 1, "g");
        add("b", 3, "g");
        add("c", 1, "g");
        add("d", 1, "h");
        while (!workers.isEmpty() || decoded.size() < 4) {
            work();
            new ArrayList<>(decoded).forEach(this::end);
        }
        assertThat(decoded.stream().filter(id -> !id.equals("d"))).containsExactly("a", "b", "c");
    }

    @Test
    void skipsMessagesThatWereHandedBackMeanwhile() {
        add("a", 1, null);
        add("b", 1, null);
        add("c", 1, null);
        messages.get("c").abandon();
        work();
        assertThat(decoded).containsExactly("a", "b");
    }

    @Test
    void messagesWhoseDecodingEndsInAnErrorDoNotComeAgainAndHoldUpNoOthers() {
        // Given as many as are decoded at a time
        faults.put("a", new StackOverflowError());
        faults.put("b", new StackOverflowError());
        add("a", 1, null);
        add("b", 1, null);
        add("c", 1, null);

        // When
        for (int i = 0; i < 5; i++) {
            workWithFaults();
            queue.next();
        }

        // Then
        assertThat(decoded).containsExactly("c");
        assertThat(attempts).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(limiter.bytes()).as("what was taken while they were decoded").isZero();
    }

    private void decode(PendingMessage message, MemoryBudget allowance) {
        attempts.add(message.message().id());
        allowance.take(needs.getOrDefault(message.message().id(), 0L));
        Error fault = faults.get(message.message().id());
        if (fault != null) {
            throw fault;
        }
        decoded.add(message.message().id());
    }

    /** As an executor does: what a task throws ends the task alone. */
    private void workWithFaults() {
        while (!workers.isEmpty()) {
            try {
                workers.remove().run();
            } catch (StackOverflowError fault) {
                assertThat(faults).containsValue(fault);
            }
        }
    }

    private void work() {
        Queue<Runnable> begun = workers;
        while (!begun.isEmpty()) {
            begun.remove().run();
        }
    }

    private void end(String id) {
        queue.ended(messages.get(id));
    }

    private void add(String id, int receives, @Nullable String group) {
        dev.windrow.writer.message.SourceQueue fifo = new dev.windrow.writer.message.SourceQueue("q", "http://127.0.0.1/q.fifo",
                true,
                Duration.ofSeconds(30), Duration.ofDays(4), null);
        PendingMessage message = new PendingMessage(new Message(fifo, id, "r", MessageBody.of("{}"), Map.of(), Instant.EPOCH,
                Instant.EPOCH, receives, group));
        messages.put(id, message);
        limiter.receive(1, most -> Uni.createFrom().item(List.of(message.message()))).await().indefinitely();
        limiter.release(message.receivedBytes());
        queue.add(message);
    }
}
