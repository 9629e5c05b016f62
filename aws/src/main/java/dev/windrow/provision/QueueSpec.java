package dev.windrow.provision;

import java.time.Duration;
import java.util.regex.Pattern;

import dev.windrow.base.Durations;

/**
 * A queue to provision, together with its dead-letter queue.
 *
 * @param name up to 80 letters, digits, {@code _} and {@code -}; ends in {@code .fifo} if, and only if, the queue is
 *        first-in-first-out (SQS naming rules)
 * @param deadLetterName likewise, and of the same kind, as SQS requires
 * @param visibilityTimeout how long a received message stays hidden from others, 0 s to 12 h
 * @param maxReceiveCount receives after which a message that was not deleted moves to the dead-letter queue, 1 to 1,000
 * @param retention how long a message is kept, 60 s to 14 d
 * @param deadLetterRetention how long a dead letter is kept, 60 s to 14 d; its age counts from when it was first sent
 * @param receiveWait how long a receive waits for a first message (long polling), 0 s to 20 s
 */
public record QueueSpec(String name, String deadLetterName, Duration visibilityTimeout, int maxReceiveCount,
        Duration retention, Duration deadLetterRetention, Duration receiveWait) {

    /** Default name of the event queue. */
    public static final String QUEUE = "windrow-events";

    /** The suffix of the default name of a dead-letter queue. */
    static final String DEAD_LETTER_SUFFIX = "-dlq";

    private static final int MAX_RECEIVE_COUNT = 100;
    private static final String FIFO_SUFFIX = ".fifo";
    private static final Pattern NAME = Pattern.compile("(?=.{1,80}$)[a-zA-Z0-9_-]+(\\.fifo)?");
    private static final String NAME_RULE = "1 to 80 letters, digits, '_' or '-', with '.fifo' at the end for a FIFO queue";
    private static final Duration MAX_VISIBILITY = Duration.ofHours(12);
    private static final Duration SHORTEST_RETENTION = Duration.ofMinutes(1);
    private static final Duration MAX_RETENTION = Duration.ofDays(14);
    private static final Duration MAX_WAIT = Duration.ofSeconds(20);

    public QueueSpec {
        TableSpec.requireMatch("queue name", name, NAME, NAME_RULE);
        TableSpec.requireMatch("dead-letter queue name", deadLetterName, NAME, NAME_RULE);
        if (name.endsWith(FIFO_SUFFIX) != deadLetterName.endsWith(FIFO_SUFFIX)) {
            throw new IllegalArgumentException("dead-letter queue name: expected a queue of the same kind as '" + name
                    + "' (both or neither end in '.fifo'), found '" + deadLetterName + "'");
        }
        if (name.equals(deadLetterName)) {
            throw new IllegalArgumentException("dead-letter queue name: expected another name than the queue's, found '"
                    + deadLetterName + "'");
        }
        requireSecondsBetween("visibility timeout", visibilityTimeout, Duration.ZERO, MAX_VISIBILITY);
        if (maxReceiveCount < 1 || maxReceiveCount > 1_000) {
            throw new IllegalArgumentException("max receive count: expected from 1 to 1000, found " + maxReceiveCount);
        }
        requireSecondsBetween("retention", retention, SHORTEST_RETENTION, MAX_RETENTION);
        requireSecondsBetween("dead-letter retention", deadLetterRetention, SHORTEST_RETENTION, MAX_RETENTION);
        requireSecondsBetween("receive wait", receiveWait, Duration.ZERO, MAX_WAIT);
    }

    /** SQS accepts only whole seconds: half a second would silently become none. */
    private static void requireSecondsBetween(String name, Duration value, Duration minimum, Duration maximum) {
        if (value.getNano() != 0 || value.compareTo(minimum) < 0 || value.compareTo(maximum) > 0) {
            throw new IllegalArgumentException(name + ": expected whole seconds from " + Durations.text(minimum)
                    + " to " + Durations.text(maximum) + ", found " + Durations.text(value));
        }
    }

    /**
     * A queue with default settings: hidden for 60 s, 100 receives, kept for 4 days, dead letters for 14, 20 s of wait. The
     * receive count is high because messages are not at fault when the process that holds them ends.
     */
    public static QueueSpec named(String name) {
        return new QueueSpec(name, deadLetterQueue(name), Duration.ofSeconds(60), MAX_RECEIVE_COUNT, Duration.ofDays(4),
                MAX_RETENTION, MAX_WAIT);
    }

    /**
     * Returns the default dead-letter queue: the name followed by {@code -dlq}, before {@code .fifo}.
     *
     * @param queue name or URL of a queue; the result is of the same kind
     */
    public static String deadLetterQueue(String queue) {
        boolean fifo = queue.endsWith(FIFO_SUFFIX);
        String stem = fifo ? queue.substring(0, queue.length() - FIFO_SUFFIX.length()) : queue;
        return stem + DEAD_LETTER_SUFFIX + (fifo ? FIFO_SUFFIX : "");
    }

    /**
     * Requires a name that SQS accepts for a new queue.
     *
     * @param setting the setting that contains the name
     * @throws IllegalArgumentException that names the setting
     */
    public static void requireName(String setting, String name) {
        TableSpec.requireMatch(setting, name, NAME, "a queue's name, not its URL: " + NAME_RULE);
    }

    /** Whether both queues are first-in-first-out. */
    public boolean fifo() {
        return name.endsWith(FIFO_SUFFIX);
    }

    public QueueSpec withDeadLetterName(String other) {
        return new QueueSpec(name, other, visibilityTimeout, maxReceiveCount, retention, deadLetterRetention, receiveWait);
    }

    public QueueSpec withVisibilityTimeout(Duration timeout) {
        return new QueueSpec(name, deadLetterName, timeout, maxReceiveCount, retention, deadLetterRetention, receiveWait);
    }

    public QueueSpec withMaxReceiveCount(int count) {
        return new QueueSpec(name, deadLetterName, visibilityTimeout, count, retention, deadLetterRetention, receiveWait);
    }
}
