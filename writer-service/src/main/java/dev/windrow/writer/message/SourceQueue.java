package dev.windrow.writer.message;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * A queue that messages come from.
 *
 * @param name its name, for logs
 * @param url where requests about it are addressed
 * @param fifo whether it keeps the order of each message group
 * @param visibility for how long a received message stays hidden from other receivers
 * @param retention how long the queue keeps a message
 * @param deadLetterUrl where what cannot be counted goes; null if there is no such queue
 * @param maxReceives how often a message may be received before the queue's own redrive policy moves it, or {@link #UNLIMITED}
 */
public record SourceQueue(String name, String url, boolean fifo, Duration visibility, Duration retention,
        @Nullable String deadLetterUrl, int maxReceives) {

    /** Receives of a queue that moves no messages by itself. */
    public static final int UNLIMITED = Integer.MAX_VALUE;

    /** A queue that moves no messages by itself. */
    public SourceQueue(String name, String url, boolean fifo, Duration visibility, Duration retention,
            @Nullable String deadLetterUrl) {
        this(name, url, fifo, visibility, retention, deadLetterUrl, UNLIMITED);
    }

    /** Whether the queue's own redrive policy moves a message before it is received more often than that. */
    public boolean movesWithin(int receives) {
        return maxReceives != UNLIMITED && maxReceives <= receives;
    }
}
