package dev.windrow.writer.journal;

/**
 * What is done before its time, as the caller's memory is short.
 *
 * @param claims whether everything that waits is claimed
 * @param deletions whether claimed messages are deleted, though fine buckets lack them still
 */
public record Urgency(boolean claims, boolean deletions) {

    /** Everything has its time. */
    public static final Urgency NONE = new Urgency(false, false);
}
