package dev.windrow.writer.source;

import java.util.List;

import dev.windrow.base.Reason;
import dev.windrow.writer.message.Message;
import dev.windrow.writer.message.SourceQueue;

/** Notified of when receives start and how they end. */
public interface ReceiveListener {

    /** A receive was admitted and starts. */
    void started();

    /** A receive brought messages, or none. */
    void received(SourceQueue queue, List<Message> batch);

    /** A receive failed. */
    void failed(SourceQueue queue, Reason reason);

    /** A receive was left out, as the source is paused. */
    void passed();
}
