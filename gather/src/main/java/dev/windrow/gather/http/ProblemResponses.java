package dev.windrow.gather.http;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.windrow.base.LogKey;
import dev.windrow.base.Reason;
import dev.windrow.base.StructuredLogger;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;

/** Answers with problem documents where no resource does: failures of the router, its filters and static files. */
@Singleton
class ProblemResponses {

    private static final StructuredLogger LOG = StructuredLogger.of(ProblemResponses.class);

    /** Before the handlers of the framework, which answer with HTML, with a stack trace or with nothing. */
    private static final int FIRST = -100_000;

    private final Problems problems;
    private final ObjectMapper json;

    ProblemResponses(Problems problems, ObjectMapper json) {
        this.problems = problems;
        this.json = json;
    }

    /** Answers, unless a response has started: then only the connection can be closed. */
    void send(RoutingContext request, Reason reason, String detail, @Nullable String parameter) {
        HttpServerResponse response = request.response();
        if (response.ended() || response.closed()) {
            return;
        }
        if (response.headWritten()) {
            response.reset();
            return;
        }
        Problem problem = problems.of(reason, detail, request.request().path(), parameter);
        problems.headers(problem).forEach(response::putHeader);
        response.setStatusCode(problem.status()).putHeader(HttpHeaders.CONTENT_TYPE, Problem.MEDIA_TYPE);
        response.end(Buffer.buffer(document(problem)));
    }

    /** The body of a response with this problem. */
    private byte[] document(Problem problem) {
        try {
            return json.writeValueAsBytes(problem);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("every problem can be written", e);
        }
    }

    void add(@Observes Router router) {
        router.route().order(FIRST).failureHandler(this::answer);
    }

    private void answer(RoutingContext context) {
        int status = context.statusCode();
        Reason reason = Problem.reason(status);
        if (reason == Reason.INTERNAL) {
            LOG.error(context.failure(), "request failed", LogKey.REASON.of(reason.word()), LogKey.STATUS.of(status),
                    LogKey.PATH.of(context.request().path()));
        }
        send(context, reason, reason == Reason.BAD_REQUEST
                ? "expected a request of HTTP/1.0, 1.1 or 2 with a valid Host"
                : Problems.advice(reason), null);
    }
}
