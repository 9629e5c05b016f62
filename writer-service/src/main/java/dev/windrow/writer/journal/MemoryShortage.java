package dev.windrow.writer.journal;

/**
 * What changes while the caller is short of memory.
 *
 * @param claims whether everything that waits is claimed at once
 * @param deletions whether claimed messages are deleted even if fine buckets still lack them
 * @param backlog whether buckets are written later, as old messages wait in the queue
 */
public record MemoryShortage(boolean claims, boolean deletions, boolean backlog) {

    /** No shortage: everything is done when it is due. */
    public static final MemoryShortage NONE = new MemoryShortage(false, false, false);
}
