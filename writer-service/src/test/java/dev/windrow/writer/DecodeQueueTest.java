package dev.windrow.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.windrow.writer.decode.EventDecoder.MemoryBudget;
import dev.windrow.writer.queue.InFlightLimiter;
import dev.windrow.writer.queue.InFlightMessages.PendingMessage;
import dev.windrow.writer.testing.TestMessages;
import io.smallrye.mutiny.Uni;

class DecodeQueueTest {

    private static final long ROOM = 1 << 24;

    private final InFlightLimiter limiter = new InFlightLimiter(10_000, ROOM, () -> 0);
    private final Deque<Runnable> workers = new ArrayDeque<>();
    private final List<String> decoded = new ArrayList<>();
    private final List<String> attempts = new ArrayList<>();
    private final Map<String, Long> needs = new HashMap<>();
    private final Map<String, Error> faults = new HashMap<>();
    private final Map<String, PendingMessage> messages = new HashMap<>();
    private final Map<String, Long> takes = new HashMap<>();
    private final Set<String> failing = new HashSet<>();
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
    void suspectsComeMoreAtATimeAsTheyEndWell() {
        // Given some that nothing ever writes
        for (int i = 0; i < 20; i++) {
            add("s" + i, 3, null);
        }

        assertThat(rounds(20)).containsExactly(1, 2, 4, 8, 5);
        assertThat(decoded).hasSize(20);
    }

    @Test
    void suspectsThatReturnToTheirQueueClearNoOthers() {
        for (int i = 0; i < 10; i++) {
            add("s" + i, 3, null);
        }
        failing.addAll(List.of("s0", "s1", "s3"));

        assertThat(rounds(10)).containsExactly(1, 1, 1, 2, 3, 2);
    }

    @Test
    void manySuspectsLetOthersHaveTheirTurn() {
        // Given a round of four, the first of which takes long
        for (int i = 0; i < 7; i++) {
            add("s" + i, 3, null);
        }
        nextRound();
        nextRound();
        add("a", 1, null);

        // When
        takes.put("s3", 1_100L);
        work();

        // Then
        assertThat(decoded).startsWith("s0", "s1", "s2", "s3", "s4").element(5).isEqualTo("a");
    }

    @Test
    void aRoundOfSuspectsTakesNoMoreMemoryThanThereIs() {
        // Given a round of two of which the second needs more than is free
        add("s0", 3, null);
        work();
        end("s0");
        limiter.grow(ROOM / 2);
        needs.put("s2", ROOM);
        add("s1", 3, null);
        add("s2", 3, null);

        // When
        work();
        assertThat(decoded).containsExactly("s0", "s1");

        // Then it is the first of the next one, once the others are written
        end("s1");
        work();
        assertThat(decoded).containsExactly("s0", "s1", "s2");
        assertThat(limiter.bytes()).isEqualTo(ROOM / 2);
    }

    @Test
    void aMessageThatCameOftenBecauseItsDeleteFailedIsNoSuspect() {
        // Given one that was decoded and counted here
        add("a", 2, null);
        work();
        end("a");
        add("b", 1, null);
        work();

        // When it comes again beside others that are not written
        add("a", 3, null);
        work();

        // Then
        assertThat(decoded).containsExactly("a", "b", "a");
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
        for (int round = 0; round < 4; round++) {
            work();
            new ArrayList<>(decoded).forEach(this::end);
        }
        assertThat(decoded.stream().filter(id -> !id.equals("d"))).containsExactly("a", "b", "c");
    }

    @Test
    void keepsTheOrderOfAGroupAmongSuspectsThatComeTogether() {
        add("s", 3, null);
        add("a", 3, "g");
        add("b", 3, "g");
        work();
        end("s");
        Runnable first = workers.remove();
        assertThat(workers).as("b waits for a").isEmpty();
        first.run();
        work();
        assertThat(decoded).containsExactly("s", "a", "b");
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

    /** The numbers of attempts in rounds, each of which waits for its second, until there were so many. */
    private List<Integer> rounds(int all) {
        List<Integer> rounds = new ArrayList<>();
        while (attempts.size() < all && now < TimeUnit.MINUTES.toNanos(1)) {
            int before = attempts.size();
            nextRound();
            rounds.add(attempts.size() - before);
        }
        return rounds;
    }

    private void nextRound() {
        work();
        now += TimeUnit.MILLISECONDS.toNanos(1_100);
        queue.next();
    }

    private void decode(PendingMessage message, MemoryBudget allowance) {
        attempts.add(message.message().id());
        allowance.take(needs.getOrDefault(message.message().id(), 0L));
        Error fault = faults.get(message.message().id());
        if (fault != null) {
            throw fault;
        }
        now += TimeUnit.MILLISECONDS.toNanos(takes.getOrDefault(message.message().id(), 0L));
        if (failing.contains(message.message().id())) {
            message.abandon();
            return;
        }
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
