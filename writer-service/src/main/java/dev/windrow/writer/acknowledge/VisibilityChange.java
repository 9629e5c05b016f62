package dev.windrow.writer.acknowledge;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.ToIntFunction;

import dev.windrow.writer.message.Message;
import dev.windrow.writer.message.SourceQueue;
import io.smallrye.mutiny.Uni;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequestEntry;

/** Sets for how long from now on messages stay hidden. */
final class VisibilityChange implements BatchedRequest {

    private final SqsAsyncClient sqs;
    private final String name;
    private final ToIntFunction<Message> seconds;

    /** @param seconds for how long, 0 to show them at once */
    VisibilityChange(SqsAsyncClient sqs, String name, ToIntFunction<Message> seconds) {
        this.sqs = sqs;
        this.name = name;
        this.seconds = seconds;
    }

    @Override
    public Uni<List<Answer>> send(SourceQueue queue, List<Message> messages) {
        List<ChangeMessageVisibilityBatchRequestEntry> entries = new ArrayList<>(messages.size());
        for (int i = 0; i < messages.size(); i++) {
            entries.add(ChangeMessageVisibilityBatchRequestEntry.builder().id(Integer.toString(i))
                    .receiptHandle(messages.get(i).receipt()).visibilityTimeout(seconds.applyAsInt(messages.get(i))).build());
        }
        return Uni.createFrom()
                .completionStage(() -> sqs
                        .changeMessageVisibilityBatch(request -> request.queueUrl(queue.url()).entries(entries)))
                .map(response -> answers(messages.size(), response.failed()));
    }

    /** SQS names only the entries that failed. */
    private static List<Answer> answers(int size, List<BatchResultErrorEntry> failed) {
        List<Answer> answers = new ArrayList<>(Collections.nCopies(size, Answer.DONE));
        for (BatchResultErrorEntry entry : failed) {
            answers.set(Integer.parseInt(entry.id()), Boolean.TRUE.equals(entry.senderFault()) ? Answer.REFUSED
                    : Answer.RETRY);
        }
        return answers;
    }

    @Override
    public String name() {
        return name;
    }
}
