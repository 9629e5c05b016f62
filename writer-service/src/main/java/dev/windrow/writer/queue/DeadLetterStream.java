package dev.windrow.writer.queue;

import java.time.Instant;
import java.util.List;
import java.util.TreeMap;

import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/**
 * Streams dead letters into an HTTP response while they are received, since together they may exceed the memory. The next
 * ones wait until the client has taken the previous ones.
 */
public final class DeadLetterStream {

    private final HttpServerResponse response;
    private boolean begun;

    public DeadLetterStream(HttpServerResponse response) {
        this.response = response.putHeader("content-type", "application/json");
    }

    /** Writes letters; completes once the client has taken them. */
    public Uni<Void> write(List<Message> letters) {
        StringBuilder text = new StringBuilder();
        for (Message letter : letters) {
            text.append(begun ? "," : "{\"items\":[").append(json(letter).encode());
            begun = true;
        }
        if (!response.headWritten()) {
            response.setChunked(true);
        }
        return Uni.createFrom().completionStage(() -> response.write(text.toString()).toCompletionStage());
    }

    public Uni<Void> end() {
        return Uni.createFrom().completionStage(() -> response.end(begun ? "]}" : "{\"items\":[]}").toCompletionStage());
    }

    private static JsonObject json(Message letter) {
        JsonObject attributes = new JsonObject();
        new TreeMap<>(letter.messageAttributes())
                .forEach((name, value) -> attributes.put(name, String.valueOf(value.stringValue())));
        return new JsonObject().put("id", letter.messageId()).put("sent", Instant.ofEpochMilli(Long.parseLong(
                letter.attributes().getOrDefault(MessageSystemAttributeName.SENT_TIMESTAMP, "0"))).toString())
                .put("attributes", attributes).put("body", letter.body());
    }
}
