package dev.windrow.writer.journal.claim;

/** How far a message is on its way to being deleted. Not thread-safe. */
public final class MessageState {

    private final JournalMessage message;
    private int openUnits;
    private boolean rejectsSent;
    private boolean released;

    public MessageState(JournalMessage message) {
        this.message = message;
        this.openUnits = message.units().size();
        this.rejectsSent = !message.hasRejects();
    }

    public JournalMessage message() {
        return message;
    }

    /**
     * One of its units is claimed, now or before, or in the dead-letter queue.
     *
     * @return whether it was the last one
     */
    public boolean settleUnit() {
        openUnits--;
        return openUnits == 0;
    }

    /** What of it was rejected is in the dead-letter queue. */
    public void rejectsSent() {
        rejectsSent = true;
    }

    /** Its claims need it no more. */
    public void release() {
        released = true;
    }

    /** Whether nothing would be lost with it. */
    public boolean isDeletable() {
        return released && rejectsSent;
    }
}
