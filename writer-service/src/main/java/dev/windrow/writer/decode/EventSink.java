package dev.windrow.writer.decode;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.Event;

/** Takes the events of one message one by one as they are read, so that they are never in memory all at once. */
public interface EventSink {

    /**
     * Takes an event.
     *
     * @param index its position in the message, see {@link RejectedEvent#index}
     * @return null if it counts, or else what is wrong with it
     * @throws MessageRejectedException if the message as a whole cannot be counted
     * @throws MemoryBudgetExceededException if there is not enough memory now
     */
    @Nullable
    RejectedEvent take(int index, Event event);

    /** Drops all events so far: the message is read again, or none of it counts. */
    void restart();
}
