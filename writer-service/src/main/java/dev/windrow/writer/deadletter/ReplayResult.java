package dev.windrow.writer.deadletter;

import java.util.ArrayList;
import java.util.List;

import dev.windrow.base.Reason;

/** The result of replaying dead letters. Not thread-safe: they are sent one after the other. */
public final class ReplayResult {

    /** Enough to see what is wrong; the letters themselves have the details. */
    private static final int MAX_REPORTED = 100;

    /**
     * A letter that was not sent.
     *
     * @param id its message id in the dead-letter queue
     * @param reason why
     * @param detail human-readable explanation
     */
    public record Left(String id, Reason reason, String detail) {
    }

    private int sentLetters;
    private int leftLetters;
    private final List<Left> reported = new ArrayList<>();

    void sent() {
        sentLetters++;
    }

    void left(String id, Reason reason, String detail) {
        leftLetters++;
        if (reported.size() < MAX_REPORTED) {
            reported.add(new Left(id, reason, detail));
        }
    }

    /** How many were sent. */
    public int sentCount() {
        return sentLetters;
    }

    /** How many stay in the dead-letter queue. */
    public int leftCount() {
        return leftLetters;
    }

    /** The first hundred of those that stay. */
    public List<Left> leftLetters() {
        return List.copyOf(reported);
    }
}
