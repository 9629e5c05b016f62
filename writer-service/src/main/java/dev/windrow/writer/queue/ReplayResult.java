package dev.windrow.writer.queue;

import java.util.ArrayList;
import java.util.List;

import dev.windrow.base.Reason;

/** The result of replaying dead letters. Not thread-safe, since letters are sent one after the other. */
public final class ReplayResult {

    /** Enough to see the problem; the letters themselves have the details. */
    private static final int MAX_REPORTED = 100;

    /** A letter that was not sent, with its id in the dead-letter queue. */
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

    public int sentCount() {
        return sentLetters;
    }

    /** The number of letters that stay in the dead-letter queue. */
    public int leftCount() {
        return leftLetters;
    }

    /** The first 100 letters that stay in the dead-letter queue. */
    public List<Left> leftLetters() {
        return List.copyOf(reported);
    }
}
