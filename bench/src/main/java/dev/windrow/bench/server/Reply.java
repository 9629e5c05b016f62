package dev.windrow.bench.server;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.vertx.core.buffer.Buffer;

/** A response in AWS's JSON protocol. */
record Reply(int status, Buffer body) {

    static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final int BAD_REQUEST = 400;

    static Reply ok(JsonNode json) {
        return ok(json.toString());
    }

    static Reply ok(String json) {
        return new Reply(200, Buffer.buffer(json));
    }

    /** Returns a response recorded in a resource next to this class. */
    static Reply recorded(String name) throws IOException {
        try (InputStream json = Objects.requireNonNull(Reply.class.getResourceAsStream(name), name)) {
            return new Reply(200, Buffer.buffer(json.readAllBytes()));
        }
    }

    static Reply error(String type, String message) {
        return error(type, message, NODES.objectNode());
    }

    /** @param details additional fields of the error */
    static Reply error(String type, String message, ObjectNode details) {
        return new Reply(BAD_REQUEST,
                Buffer.buffer(details.put("__type", type).put("message", message).put("Message", message).toString()));
    }
}
