package dev.windrow.writer.acknowledge;

import java.util.List;

import dev.windrow.writer.message.Message;
import dev.windrow.writer.message.SourceQueue;
import io.smallrye.mutiny.Uni;

/** A request about messages of one queue that SQS takes in batches of 10. */
interface BatchedRequest {

    /** What SQS says of one message of a batch. */
    enum Answer {
        DONE,
        /** SQS's fault: it may work next time. */
        RETRY,
        /** The sender's fault: it never will, for example as the receipt has expired. */
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
