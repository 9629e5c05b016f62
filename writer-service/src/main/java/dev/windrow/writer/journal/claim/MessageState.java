package dev.windrow.writer.journal.claim;

/** How much of a message is still to be claimed. Not thread-safe. */
public final class MessageState {

    private final JournalMessage message;
    private int openUnits;

    public MessageState(JournalMessage message) {
        this.message = message;
        this.openUnits = message.units().size();
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
}
