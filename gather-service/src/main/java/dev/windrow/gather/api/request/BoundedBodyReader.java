package dev.windrow.gather.api.request;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;

/** Reads a request's body up to a limit, also one that does not say how long it is. */
final class BoundedBodyReader {

    private final HttpServerRequest request;
    private final long limit;
    private final UniEmitter<? super byte[]> emitter;
    private final Buffer read = Buffer.buffer();

    private BoundedBodyReader(HttpServerRequest request, long limit, UniEmitter<? super byte[]> emitter) {
        this.request = request;
        this.limit = limit;
        this.emitter = emitter;
    }

    /** @param limit maximum bytes; beyond them it fails with {@link Reason#CONTENT_TOO_LARGE} */
    static Uni<byte[]> of(HttpServerRequest request, long limit) {
        return Uni.createFrom().emitter(emitter -> new BoundedBodyReader(request, limit, emitter).start());
    }

    private void start() {
        request.exceptionHandler(failure -> emitter.fail(incomplete())).handler(this::add)
                .endHandler(end -> emitter.complete(read.getBytes()));
        request.resume();
    }

    private static InvalidInputException incomplete() {
        return new InvalidInputException(Reason.BAD_REQUEST, "body", "expected a whole body in well-formed chunks");
    }

    private void add(Buffer bytes) {
        if (read.length() + bytes.length() <= limit) {
            read.appendBuffer(bytes);
            return;
        }
        // What is still to come is dropped, and nothing after it is a request.
        request.handler(null);
        request.response().putHeader("Connection", "close");
        emitter.fail(new InvalidInputException(Reason.CONTENT_TOO_LARGE, "body", "expected at most " + limit + " bytes"));
    }
}
