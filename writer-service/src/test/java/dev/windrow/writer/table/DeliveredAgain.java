package dev.windrow.writer.table;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

import dev.windrow.writer.journal.ClaimUnit;
import dev.windrow.writer.journal.MessageFlow.JournalMessage;
import dev.windrow.writer.journal.Request;
import dev.windrow.writer.journal.Request.Answer;
import dev.windrow.writer.testing.TestMessage;
import io.smallrye.mutiny.Uni;

/**
 * A queue that delivers at least once, and again: messages come twice at once, come back while they are held, and survive
 * deletes that are lost. Thread-safe.
 */
final class DeliveredAgain {

    private static final long VISIBILITY_MILLIS = 2_500;

    private final RandomGenerator random;
    private final ScheduledExecutorService timer;
    private final Set<List<ClaimUnit>> left = new HashSet<>();
    private final List<List<ClaimUnit>> visible = new ArrayList<>();
    private final List<Request.SendParked> letters = new ArrayList<>();

    DeliveredAgain(RandomGenerator random, ScheduledExecutorService timer) {
        this.random = random;
        this.timer = timer;
    }

    synchronized void send(List<ClaimUnit> message) {
        left.add(message);
        visible.add(message);
    }

    /** Some messages; what was received and is not deleted becomes visible again. */
    synchronized List<JournalMessage> receive(int max) {
        List<JournalMessage> received = new ArrayList<>();
        while (!visible.isEmpty() && received.size() < max) {
            List<ClaimUnit> message = visible.remove(random.nextInt(visible.size()));
            if (left.contains(message)) {
                int copies = random.nextInt(10) == 0 ? 2 : 1;
                for (int i = 0; i < copies; i++) {
                    received.add(new Received(message));
                }
                var unused = timer.schedule(() -> reveal(message), VISIBILITY_MILLIS, TimeUnit.MILLISECONDS);
            }
        }
        return received;
    }

    private synchronized void reveal(List<ClaimUnit> message) {
        if (left.contains(message)) {
            visible.add(message);
        }
    }

    private synchronized void delete(List<ClaimUnit> message) {
        if (random.nextInt(5) > 0) {
            left.remove(message);
        }
    }

    private final class Received extends TestMessage {

        Received(List<ClaimUnit> units) {
            super(units);
        }

        @Override
        public void delete() {
            DeliveredAgain.this.delete(units());
        }
    }

    /** How many messages are not deleted. */
    synchronized int size() {
        return left.size();
    }

    /** Additions that were parked, each letter once. */
    synchronized List<Request.SendParked> letters() {
        return List.copyOf(letters);
    }

    private synchronized void keep(Request.SendParked letter) {
        if (letters.stream().noneMatch(known -> known.id().equals(letter.id()))) {
            letters.add(letter);
        }
    }

    /** The queue as one writer sees it. */
    Request.Queues queues(Executor executor) {
        return letter -> Uni.createFrom().item(Answer.DONE).emitOn(executor).invoke(() -> keep(letter))
                .subscribeAsCompletionStage();
    }

    /** Takes what a writer reports. */
    static Request.Reports reports() {
        return new Request.Reports() {

            @Override
            public void deferred(Request.ReportDeferred deferred) {
                // Items that take no update come late.
            }

            @Override
            public void unreadable(Request.ReportUnreadableClaims claims) {
                // Its messages come late.
            }

            @Override
            public void unreadable(Request.ReportUnreadable unreadable) {
                throw new AssertionError("expected lanes that can be recovered, found " + unreadable);
            }

            @Override
            public void lane(Request.ReportLane lane) {
                // Lanes come and go.
            }
        };
    }
}
