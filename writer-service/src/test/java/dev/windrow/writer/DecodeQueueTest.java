package dev.windrow.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.windrow.base.InvalidInputException;
import dev.windrow.testing.Seeds;
import dev.windrow.writer.decode.MemoryBudget;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.queue.InFlightLimiter;
import dev.windrow.writer.queue.PendingMessage;
import dev.windrow.writer.testing.TestMessages;
import io.smallrye.mutiny.Uni;

class DecodeQueueTest {

    private static final long ROOM = 1 << 24;
    private static final int SUSPECT = DecodeQueue.SUSPECT_RECEIVES;

    private long elsewhere;
    private final InFlightLimiter limiter = new InFlightLimiter(10_000, ROOM, () -> elsewhere);
    private final Deque<Runnable> workers = new ArrayDeque<>();
    private final List<String> decoded = new ArrayList<>();
    private final List<String> attempts = new ArrayList<>();
    private final Map<String, Long> needs = new HashMap<>();
    private final Map<String, Error> faults = new HashMap<>();
    private final Map<String, PendingMessage> messages = new HashMap<>();
    /** What is held for messages that were decoded and have not ended, in bytes. */
    private final Map<String, Long> kept = new LinkedHashMap<>();
    private final List<String> tooLarge = new ArrayList<>();
    private long now;
    private final DecodeQueue queue = new DecodeQueue(limiter, workers::add, 2, () -> now, this::decode);

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
        limiter.shrink(-ROOM / 2 - 1);
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

    /** Else it would wait for all others, and they for it, although there is enough. */
    @Test
    void aMessageThatDidNotFitIsTriedAgainWithAboutWhatItNeeds() {
        // Given
        needs.put("a", ROOM * 5 / 8);
        needs.put("b", ROOM * 3 / 8 - 1_000);
        needs.put("c", ROOM / 8);
        add("a", 1, null);
        add("b", 1, null);
        work();
        add("c", 1, null);
        work();
        assertThat(attempts).containsExactly("a", "b", "c");

        // When b is written, and a is not
        end("b");
        work();

        // Then
        assertThat(decoded).containsExactly("a", "b", "c");
        assertThat(attempts).containsExactly("a", "b", "c", "c");
    }

    /** Or a table that takes no update of an item would stop the writer. */
    @Test
    void aMessageThatNeedsAllOfThemGoesOnThoughItemsTakeNoUpdates() {
        // Given messages that have all of their part of the memory
        elsewhere = ROOM / 16;
        needs.put("a", ROOM * 3 / 4 - 10_000);
        add("a", 1, null);
        Message waiting = TestMessages.message(" ".repeat((int) ROOM / 4), Map.of(), Instant.EPOCH);
        limiter.receive(1, most -> Uni.createFrom().item(List.of(waiting))).await().indefinitely();

        // When
        for (int i = 0; i < 5; i++) {
            work();
            queue.next();
        }

        // Then
        assertThat(decoded).containsExactly("a");
    }

    @Test
    void aMessageThatDoesNotFitAloneIsRejected() {
        needs.put("a", ROOM * 3 / 4 + 1);
        add("a", 1, null);
        add("b", 1, null);
        work();
        assertThat(attempts).containsExactly("a", "b");
        assertThat(decoded).containsExactly("b");
        assertThat(tooLarge).containsExactly("a");
        assertThat(limiter.bytes()).isZero();
    }

    @Test
    void neverTakesMoreThanThereIsAndDecodesAllThatFits() {
        Random random = new Random(Seeds.seed("decode-queue"));
        Set<String> fitting = new HashSet<>();
        for (int i = 0; i < 300; i++) {
            String id = "m" + i;
            long need = random.nextInt(4) == 0 ? random.nextLong(ROOM) : random.nextLong(ROOM / 8);
            needs.put(id, need);
            if (need < ROOM / 2) {
                fitting.add(id);
            }
            add(id, 1 + random.nextInt(2 * SUSPECT), random.nextInt(3) == 0 ? "g" : null);
            for (int step = 0; step < 3; step++) {
                step(random);
            }
        }
        for (int step = 0; step < 10_000 && decoded.size() + tooLarge.size() < 300; step++) {
            step(random);
        }
        assertThat(decoded).doesNotHaveDuplicates().containsAll(fitting);
        assertThat(decoded.size() + tooLarge.size()).isEqualTo(300);
        List.copyOf(kept.keySet()).forEach(this::end);
        assertThat(limiter.bytes()).isZero();
    }

    private void step(Random random) {
        if (!workers.isEmpty() && random.nextBoolean()) {
            workers.remove().run();
        }
        List<String> held = new ArrayList<>(kept.keySet());
        if (!held.isEmpty() && random.nextInt(3) == 0) {
            end(held.get(random.nextInt(held.size())));
        }
        now += TimeUnit.MILLISECONDS.toNanos(random.nextInt(400));
        queue.next();
        assertThat(limiter.bytes()).isBetween(0L, ROOM);
    }

    @Test
    void manySuspectsLetOthersHaveTheirTurn() {
        // Given some that nothing ever writes
        add("s0", SUSPECT, null);
        add("s1", SUSPECT, null);
        work();
        add("a", 1, null);
        work();
        assertThat(decoded).containsExactly("s0");

        // When
        now += TimeUnit.MILLISECONDS.toNanos(1_100);
        queue.next();
        work();

        // Then
        assertThat(decoded).containsExactly("s0", "a");
        now += TimeUnit.MILLISECONDS.toNanos(1_100);
        queue.next();
        work();
        assertThat(decoded).containsExactly("s0", "a", "s1");
    }

    @Test
    void aSuspectThatNeedsMoreThanThereIsHasItsTurnUntilOthersAreWritten() {
        // Given
        needs.put("a", ROOM / 2);
        needs.put("s", ROOM * 3 / 4 - 10_000);
        add("a", 1, null);
        work();
        add("s", SUSPECT, null);
        add("b", 1, null);
        for (int i = 0; i < 5; i++) {
            now += TimeUnit.MILLISECONDS.toNanos(1_100);
            queue.next();
            work();
        }
        assertThat(decoded).containsExactly("a");

        // When
        end("a");
        work();

        // Then
        assertThat(decoded).startsWith("a", "s");
    }

    @Test
    void suspectsComeOneAtATimeWithNothingElseHeld() {
        add("s", SUSPECT, null);
        add("t", SUSPECT, null);
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
        add("s", SUSPECT, null);
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
        add("b", SUSPECT, "g");
        add("c", 1, "g");
        add("d", 1, "h");
        for (int round = 0; round < 4; round++) {
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
            work();
            queue.next();
        }

        // Then
        assertThat(decoded).containsExactly("c");
        assertThat(attempts).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(limiter.bytes()).as("what was taken while they were decoded").isZero();
    }

    private void decode(PendingMessage message, MemoryBudget allowance) {
        attempts.add(message.message().id());
        now++;
        long need = needs.getOrDefault(message.message().id(), 0L);
        try {
            allowance.take(need);
        } catch (InvalidInputException e) {
            tooLarge.add(message.message().id());
            queue.ended(message);
            return;
        }
        Error fault = faults.get(message.message().id());
        if (fault != null) {
            throw fault;
        }
        kept.put(message.message().id(), allowance.keep(need));
        decoded.add(message.message().id());
    }

    /** As an executor does: what a task throws ends the task alone. */
    private void work() {
        while (!workers.isEmpty()) {
            try {
                workers.remove().run();
            } catch (StackOverflowError fault) {
                assertThat(faults).containsValue(fault);
            }
        }
    }

    private void end(String id) {
        Long held = kept.remove(id);
        limiter.shrink(held == null ? 0 : held);
        queue.ended(messages.get(id));
    }

    private void add(String id, int receives, @Nullable String group) {
        PendingMessage message = new PendingMessage(
                TestMessages.delivery(TestMessages.queue("q.fifo"), id, "r", receives, group));
        messages.put(id, message);
        limiter.receive(1, most -> Uni.createFrom().item(List.of(message.message()))).await().indefinitely();
        limiter.release(message.receivedBytes());
        queue.add(message);
    }
}
