package dev.windrow.writer.decode;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * A queue that messages come from.
 *
 * @param name its name, for logs
 * @param url the URL for requests about it
 * @param fifo whether it keeps the order of each message group
 * @param visibility how long a received message stays hidden from other receivers
 * @param retention how long the queue keeps a message
 * @param deadLetterUrl URL of its dead-letter queue; null if there is none
 * @param deadLetterBytes maximum size of a message of the dead-letter queue, body and attributes together
 * @param maxReceives how often a message may be received before the queue's own redrive policy moves it, or
 *        {@link #UNLIMITED}
 */
public record SourceQueue(String name, String url, boolean fifo, Duration visibility, Duration retention,
        @Nullable String deadLetterUrl, int deadLetterBytes, int maxReceives) {

    /** Value of {@link #maxReceives} for a queue without a redrive policy. */
    public static final int UNLIMITED = Integer.MAX_VALUE;

    /** Whether the queue's own redrive policy moves a message before it is received more often than this. */
    public boolean movesWithin(int receives) {
        return maxReceives != UNLIMITED && maxReceives <= receives;
    }
}
