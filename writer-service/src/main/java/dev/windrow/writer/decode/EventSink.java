package dev.windrow.writer.decode;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.InvalidInputException;
import dev.windrow.event.Event;

/** Takes the events of a message one by one as they are read, so that they are never all in memory. */
public interface EventSink {

    /**
     * Takes an event.
     *
     * @param index its position in the message, see {@link RejectedEvent#index}
     * @return null if it counts, {@link RejectedEvent#EXCLUDED} if no dataset counts it, or else the error
     * @throws InvalidInputException if the message as a whole cannot be counted
     * @throws MemoryBudgetExceededException if there is not enough memory now
     */
    @Nullable
    RejectedEvent take(int index, Event event);

    /** Drops all events so far: the message is read again, or none of it counts. */
    void restart();
}
