package dev.windrow.writer.management;

import java.util.List;
import java.util.TreeMap;

import dev.windrow.writer.deadletter.DeadLetterOperations.Letter;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;

/**
 * An answer with dead letters, written while they are received: together they may be larger than the memory. The next ones
 * wait until the client has taken those before.
 */
final class DeadLetterStream {

    private final HttpServerResponse response;
    private boolean begun;

    DeadLetterStream(HttpServerResponse response) {
        this.response = response;
    }

    /** Completes once the client has taken them. */
    Uni<Void> write(List<Letter> letters) {
        StringBuilder text = new StringBuilder();
        for (Letter letter : letters) {
            text.append(begun ? "," : "{\"items\":[").append(json(letter).encode());
            begun = true;
        }
        if (!response.headWritten()) {
            response.setChunked(true).putHeader("content-type", "application/json");
        }
        return Uni.createFrom().completionStage(() -> response.write(text.toString()).toCompletionStage());
    }

    /** No more come. */
    Uni<Void> end() {
        if (!begun) {
            response.putHeader("content-type", "application/json");
        }
        return Uni.createFrom()
                .completionStage(() -> response.end(begun ? "]}" : "{\"items\":[]}").toCompletionStage());
    }

    private static JsonObject json(Letter letter) {
        return new JsonObject().put("id", letter.id()).put("sent", letter.sent().toString())
                .put("attributes", new JsonObject(new TreeMap<>(letter.attributes())))
                .put("body", letter.body());
    }
}
