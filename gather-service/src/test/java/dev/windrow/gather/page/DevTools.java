package dev.windrow.gather.page;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.windrow.testing.Patience;

/** The DevTools protocol: commands with ids over a WebSocket, their results, and events of sessions. */
final class DevTools implements java.net.http.WebSocket.Listener {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final AtomicInteger ids = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> waiting = new ConcurrentHashMap<>();
    private final Map<String, Consumer<JsonNode>> sessions = new ConcurrentHashMap<>();
    private final StringBuilder partial = new StringBuilder();
    private CompletableFuture<?> sent = CompletableFuture.completedFuture(null);
    private java.net.http.@Nullable WebSocket socket;

    void opened(java.net.http.WebSocket opened) {
        socket = opened;
    }

    /** Where a session's events go. */
    void listen(String session, Consumer<JsonNode> events) {
        sessions.put(session, events);
    }

    /**
     * The result of a command.
     *
     * @param session empty for the browser itself
     */
    JsonNode call(String session, String method, Map<String, ?> parameters) {
        int id = ids.incrementAndGet();
        ObjectNode command = JSON.createObjectNode().put("id", id).put("method", method);
        command.set("params", JSON.valueToTree(parameters));
        if (!session.isEmpty()) {
            command.put("sessionId", session);
        }
        CompletableFuture<JsonNode> result = new CompletableFuture<>();
        waiting.put(id, result);
        send(command.toString());
        JsonNode answer = result.orTimeout(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS).join();
        if (answer.has("error")) {
            throw new AssertionError(method + ": " + answer.get("error"));
        }
        return answer.path("result");
    }

    private synchronized void send(String text) {
        java.net.http.WebSocket open = socket;
        if (open == null) {
            throw new IllegalStateException("not connected");
        }
        sent = sent.thenCompose(before -> open.sendText(text, true));
    }

    @Override
    public @Nullable CompletionStage<?> onText(java.net.http.WebSocket from, CharSequence data, boolean last) {
        partial.append(data);
        if (last) {
            String text = partial.toString();
            partial.setLength(0);
            received(text);
        }
        from.request(1);
        return null;
    }

    private void received(String text) {
        try {
            JsonNode message = JSON.readTree(text);
            if (message.has("id")) {
                CompletableFuture<JsonNode> result = waiting.remove(message.get("id").intValue());
                if (result != null) {
                    result.complete(message);
                }
            } else {
                sessions.getOrDefault(message.path("sessionId").asText(), event -> {
                }).accept(message);
            }
        } catch (JsonProcessingException e) {
            waiting.values().forEach(result -> result.completeExceptionally(e));
        }
    }
}
