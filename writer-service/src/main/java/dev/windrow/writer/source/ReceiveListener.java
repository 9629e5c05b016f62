package dev.windrow.writer.source;

import java.util.List;

import dev.windrow.writer.message.Message;

/** Notified of how receives end. */
public interface ReceiveListener {

    /** A receive brought messages, or none. */
    void received(List<Message> batch);

    /** A receive failed, or was left out while the source is paused. */
    void passed();
}
