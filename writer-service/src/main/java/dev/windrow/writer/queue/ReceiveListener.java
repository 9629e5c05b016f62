package dev.windrow.writer.queue;

import java.util.List;

import dev.windrow.base.Reason;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.SourceQueue;

/** Notified when receives start, and how they end. */
public interface ReceiveListener {

    /** A receive was admitted and starts. */
    void started();

    /** A receive succeeded, with or without messages. */
    void received(SourceQueue queue, List<Message> batch);

    void failed(SourceQueue queue, Reason reason);

    /** A receive was skipped because the source is paused or may not receive. */
    void passed();
}
