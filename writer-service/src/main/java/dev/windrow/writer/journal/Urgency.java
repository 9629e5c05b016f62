package dev.windrow.writer.journal;

/**
 * What short memory of the caller changes.
 *
 * @param claims whether everything that waits is claimed
 * @param deletions whether claimed messages are deleted, though fine buckets lack them still
 * @param backlog whether buckets are written later, as the queue is long
 */
public record Urgency(boolean claims, boolean deletions, boolean backlog) {

    /** Everything has its time. */
    public static final Urgency NONE = new Urgency(false, false, false);
}
