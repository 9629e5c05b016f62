package dev.windrow.writer.flow;

import dev.windrow.writer.decode.EventSink;

/** What one message adds, gathered event by event. Not thread-safe. */
public interface MessageAdditions extends EventSink {

    /** All events were read. @return about what is held on the heap, in bytes */
    long build();

    /** Whether nothing is added. To be called after {@link #build()}. */
    boolean isEmpty();

    /** Hands everything on to be written. To be called once, after {@link #build()}. */
    void submit();
}
