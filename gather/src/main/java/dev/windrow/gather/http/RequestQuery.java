package dev.windrow.gather.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.Map;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.vertx.core.http.HttpServerRequest;

/**
 * Reads the parameters in a request's address in the given order, with case-sensitive names. The framework's own parser takes
 * {@code Label} for {@code label} and does not keep the order.
 */
public final class RequestQuery {

    private RequestQuery() {
    }

    public static Map<String, List<String>> parameters(HttpServerRequest request) {
        // A semicolon is part of a value. The number of parameters is bounded by the length of an address.
        return new QueryStringDecoder(request.uri(), UTF_8, true, Integer.MAX_VALUE, true).parameters();
    }

    /** Reads the parameters of a posted form in the same way. */
    public static Map<String, List<String>> form(byte[] body) {
        try {
            return new QueryStringDecoder(new String(body, UTF_8), UTF_8, false, Integer.MAX_VALUE, true).parameters();
        } catch (IllegalArgumentException e) {
            throw new InvalidInputException(Reason.BAD_REQUEST, "body", "expected a form with well-formed percent-encoding");
        }
    }
}
