package dev.windrow.bench.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.vertx.core.buffer.Buffer;

/**
 * An answer in AWS's JSON protocol.
 *
 * @param status the HTTP status
 * @param body the JSON
 */
record Reply(int status, Buffer body) {

    static Reply ok(ObjectNode answer) {
        return new Reply(200, Buffer.buffer(answer.toString().getBytes(UTF_8)));
    }

    static Reply error(int status, String type, String message, ObjectNode details) {
        ObjectNode error = JsonNodeFactory.instance.objectNode();
        error.put("__type", type).put("message", message).put("Message", message);
        error.setAll(details);
        return new Reply(status, Buffer.buffer(error.toString().getBytes(UTF_8)));
    }

    static Reply error(String type, String message) {
        return error(400, type, message, JsonNodeFactory.instance.objectNode());
    }
}
