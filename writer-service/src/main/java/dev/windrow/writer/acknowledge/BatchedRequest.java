package dev.windrow.writer.acknowledge;

import java.util.List;

import dev.windrow.writer.message.Message;
import dev.windrow.writer.message.SourceQueue;
import io.smallrye.mutiny.Uni;

/** A request about messages of one queue that SQS takes in batches of 10. */
interface BatchedRequest {

    /** SQS's result for one message of a batch. */
    enum Answer {
        DONE,
        /** SQS failed: a retry may succeed. */
        RETRY,
        /** The request is wrong, for example its receipt has expired: a retry cannot succeed. */
        REFUSED
    }

    /**
     * Sends one batch.
     *
     * @param messages 1 to 10; the same message may be among them twice, under different receipts
     * @return an answer for each, in order
     */
    Uni<List<Answer>> send(SourceQueue queue, List<Message> messages);

    /** Its name in logs and metrics. */
    String name();
}
