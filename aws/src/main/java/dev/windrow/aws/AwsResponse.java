package dev.windrow.aws;

import java.io.IOException;
import java.util.Set;
import java.util.function.Predicate;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

import dev.windrow.aws.AwsErrors.RequestFailedException;

/**
 * An answer of AWS.
 *
 * @param body JSON, or whatever a proxy between says
 */
public record AwsResponse(int status, byte[] body) {

    private static final JsonFactory JSON = new JsonFactory();
    private static final int OK = 200;
    private static final Set<String> CREDENTIALS = Set.of("ExpiredToken", "ExpiredTokenException", "InvalidClientTokenId",
            "UnrecognizedClientException");
    private static final Set<String> SIGNATURE = Set.of("InvalidSignatureException", "SignatureDoesNotMatch", "RequestExpired",
            "RequestTimeTooSkewed", "RequestInTheFuture", "AuthFailure");

    /** Whether the operation was carried out. */
    public boolean isOk() {
        return status == OK;
    }

    /**
     * Requires that the operation was carried out.
     *
     * @throws RequestFailedException with the {@link #refusal()} otherwise
     */
    public void requireOk() {
        if (!isOk()) {
            Refusal refusal = refusal();
            throw new RequestFailedException(AwsErrors.reason(refusal.type(), status, refusal.message()), refusal.toString());
        }
    }

    /** Reads a value of JSON, from its first token to its last. */
    @FunctionalInterface
    public interface ValueReader {

        void read(JsonParser json) throws IOException;
    }

    /** Has the objects of an array read that is a field of the answer, if there is one. */
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

    /** Whether it was the credentials that the service did not accept (IAM user guide, "Common errors"). */
    boolean refusesCredentials() {
        return isRefusal(CREDENTIALS);
    }

    /** Whether the signature was not accepted, for its time or for anything else. */
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

    /** What an answer says that is not {@link #isOk() well}. */
    public Refusal refusal() {
        try {
            return new Refusal(status, type(), text("message"::equalsIgnoreCase));
        } catch (IOException e) {
            // A proxy between answers in words of its own: the status says what there is to say.
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
     * Why an operation was not carried out.
     *
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
