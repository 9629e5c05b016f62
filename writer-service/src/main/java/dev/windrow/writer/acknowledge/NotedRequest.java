package dev.windrow.writer.acknowledge;

import java.util.List;

import dev.windrow.writer.message.Message;
import dev.windrow.writer.message.SourceQueue;
import io.smallrye.mutiny.Uni;

/**
 * Notes the end of each attempt.
 *
 * @param ended is run when an attempt has ended, well or not
 */
record NotedRequest(BatchedRequest request, Runnable ended) implements BatchedRequest {

    @Override
    public Uni<List<Answer>> send(SourceQueue queue, List<Message> messages) {
        return request.send(queue, messages).onTermination().invoke(ended);
    }

    @Override
    public String name() {
        return request.name();
    }
}
