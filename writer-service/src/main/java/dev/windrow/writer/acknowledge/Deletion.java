package dev.windrow.writer.acknowledge;

import java.util.ArrayList;
import java.util.List;

import dev.windrow.writer.message.Message;
import dev.windrow.writer.message.SourceQueue;
import io.smallrye.mutiny.Uni;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;

/** Deletes messages. */
final class Deletion implements BatchedRequest {

    private final SqsAsyncClient sqs;

    Deletion(SqsAsyncClient sqs) {
        this.sqs = sqs;
    }

    @Override
    public Uni<List<Answer>> send(SourceQueue queue, List<Message> messages) {
        List<DeleteMessageBatchRequestEntry> entries = new ArrayList<>(messages.size());
        for (int i = 0; i < messages.size(); i++) {
            // By position: two deliveries of one message may be in one batch, and entry ids must differ.
            entries.add(DeleteMessageBatchRequestEntry.builder().id(Integer.toString(i))
                    .receiptHandle(messages.get(i).receipt()).build());
        }
        return Uni.createFrom()
                .completionStage(() -> sqs.deleteMessageBatch(request -> request.queueUrl(queue.url()).entries(entries)))
                .map(response -> BatchResponses.of(messages.size(), response.failed()));
    }

    @Override
    public String name() {
        return "delete";
    }
}
