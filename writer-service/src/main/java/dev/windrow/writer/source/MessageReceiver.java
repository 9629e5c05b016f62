package dev.windrow.writer.source;

import java.time.Duration;
import java.util.List;

import dev.windrow.writer.message.Message;
import dev.windrow.writer.message.SourceQueue;
import io.smallrye.mutiny.Uni;

/** Receives from SQS, one at a time. */
public interface MessageReceiver {

    /** How long a receive may take beyond its wait, for the way there and back. */
    Duration PATIENCE = Duration.ofSeconds(10);

    /**
     * Receives once.
     *
     * @param maximum number of messages; SQS never returns more than ten
     */
    Uni<List<Message>> receive(SourceQueue queue, int maximum);
}
