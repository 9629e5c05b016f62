package dev.windrow.aws;

import java.io.IOException;
import java.util.Set;
import java.util.function.Predicate;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

/**
 * A response from AWS.
 *
 * @param body JSON, or anything that a proxy sends instead
 */
public record AwsResponse(int status, byte[] body) {

    private static final JsonFactory JSON = new JsonFactory();
    private static final int OK = 200;
    private static final Set<String> CREDENTIALS = Set.of("ExpiredToken", "ExpiredTokenException", "InvalidClientTokenId",
            "UnrecognizedClientException");
    private static final Set<String> SIGNATURE = Set.of("InvalidSignatureException", "SignatureDoesNotMatch", "RequestExpired",
            "RequestTimeTooSkewed", "RequestInTheFuture", "AuthFailure");

    public boolean isOk() {
        return status == OK;
    }

    /**
     * Requires that the operation succeeded.
     *
     * @throws RequestFailedException with the {@link #refusal()} otherwise
     */
    public void requireOk() {
        if (!isOk()) {
            Refusal refusal = refusal();
            throw new RequestFailedException(AwsErrors.reason(refusal.type(), status, refusal.message()), refusal.toString());
        }
    }

    /** Reads a JSON value, from its first token to its last. */
    @FunctionalInterface
    public interface ValueReader {

        void read(JsonParser json) throws IOException;
    }

    /** Passes each object of an array field of the response to a reader; does nothing if there is no such field. */
    public void readEach(String array, ValueReader reader) throws IOException {
        try (JsonParser json = JSON.createParser(body)) {
            json.nextToken();
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                boolean wanted = json.currentName().equals(array);
                if (json.nextToken() == JsonToken.START_ARRAY && wanted) {
                    while (json.nextToken() == JsonToken.START_OBJECT) {
                        reader.read(json);
                    }
                } else {
                    json.skipChildren();
                }
            }
        }
    }

    /** Whether the service rejected the credentials (IAM user guide, "Common errors"). */
    boolean refusesCredentials() {
        return isRefusal(CREDENTIALS);
    }

    /** Whether the service rejected the signature, for its time or any other reason. */
    boolean refusesSignature() {
        return isRefusal(SIGNATURE);
    }

    private boolean isRefusal(Set<String> types) {
        try {
            return !isOk() && types.contains(type());
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns the error in a response that is not {@link #isOk() OK}. */
    public Refusal refusal() {
        try {
            return new Refusal(status, type(), text("message"::equalsIgnoreCase));
        } catch (IOException e) {
            // Probably a proxy's own response: only its status is meaningful.
            return new Refusal(status, "", "an answer that is no JSON");
        }
    }

    private String type() throws IOException {
        String type = text("__type"::equals);
        return type.substring(type.indexOf('#') + 1);
    }

    private String text(Predicate<String> wanted) throws IOException {
        try (JsonParser json = JSON.createParser(body)) {
            json.nextToken();
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                boolean found = wanted.test(json.currentName());
                json.nextToken();
                if (found) {
                    return json.getText();
                }
                json.skipChildren();
            }
            return "";
        }
    }

    /**
     * Why an operation failed.
     *
     * @param type the error's name, or empty
     * @param message human-readable
     */
    public record Refusal(int status, String type, String message) {

        @Override
        public String toString() {
            return (type.isEmpty() ? "status " + status : type) + ": " + message;
        }
    }
}
