package dev.windrow.gather.http;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.windrow.base.Reason;
import dev.windrow.gather.api.problem.Problem;
import dev.windrow.gather.api.problem.Problems;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;

/** Answers with problem documents where no resource does. */
@Singleton
class ProblemResponses {

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

    /**
     * A problem of which only the status of the response is known.
     *
     * @param path of the request, if it could be read
     */
    Problem problem(int status, @Nullable String path) {
        Reason reason = Problem.reason(status);
        return problems.of(reason, Problems.advice(reason), path, null);
    }

    /** The body of a response with this problem. */
    byte[] document(Problem problem) {
        try {
            return json.writeValueAsBytes(problem);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("every problem can be written", e);
        }
    }
}
