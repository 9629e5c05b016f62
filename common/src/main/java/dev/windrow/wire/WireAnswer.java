package dev.windrow.wire;

import java.io.IOException;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

/**
 * An answer of AWS.
 *
 * @param status the HTTP status
 * @param requestId by which AWS's support finds the request, if it was told
 * @param body JSON, or whatever a proxy between says
 */
public record WireAnswer(int status, @Nullable String requestId, byte[] body) {

    private static final JsonFactory JSON = new JsonFactory();
    private static final int OK = 200;

    /** Whether the operation was carried out. */
    public boolean isOk() {
        return status == OK;
    }

    /** A parser of the body, before its first token. */
    public JsonParser parser() throws IOException {
        return JSON.createParser(body);
    }

    /** What an answer says that is not {@link #isOk() well}. */
    public Refusal refusal() {
        String type = "";
        String message = "";
        try (JsonParser json = parser()) {
            json.nextToken();
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String field = json.currentName();
                json.nextToken();
                if (field.equals("__type")) {
                    String told = json.getText();
                    type = told.substring(told.indexOf('#') + 1);
                } else if (field.equalsIgnoreCase("message")) {
                    message = json.getText();
                } else {
                    json.skipChildren();
                }
            }
        } catch (IOException e) {
            // A proxy between answers in words of its own: the status says what there is to say.
            message = "an answer that is no JSON";
        }
        return new Refusal(status, type, message);
    }

    /**
     * Why an operation was not carried out.
     *
     * @param status the HTTP status
     * @param type the error's name, or nothing
     * @param message for people
     */
    public record Refusal(int status, String type, String message) {

        @Override
        public String toString() {
            return (type.isEmpty() ? "status " + status : type) + ": " + message;
        }
    }
}
