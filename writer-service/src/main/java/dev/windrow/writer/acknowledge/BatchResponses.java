package dev.windrow.writer.acknowledge;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import dev.windrow.writer.acknowledge.BatchedRequest.Answer;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;

/** Reads SQS's answers to batches, which name only the entries that failed. */
final class BatchResponses {

    private BatchResponses() {
    }

    /** The result of each entry of a batch whose entry ids are the positions. */
    static List<Answer> of(int size, List<BatchResultErrorEntry> failed) {
        List<Answer> answers = new ArrayList<>(Collections.nCopies(size, Answer.DONE));
        for (BatchResultErrorEntry entry : failed) {
            answers.set(Integer.parseInt(entry.id()), Boolean.TRUE.equals(entry.senderFault()) ? Answer.REFUSED
                    : Answer.RETRY);
        }
        return answers;
    }
}
