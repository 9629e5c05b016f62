package dev.windrow.gather.http;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.windrow.gather.api.problem.Problem;
import dev.windrow.gather.api.problem.Problems;
import dev.windrow.reason.Reason;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** Makes problem documents where only the status of a response is known. */
@Singleton
class StatusProblems {

    private final Problems problems;
    private final ObjectMapper json;

    StatusProblems(Problems problems, ObjectMapper json) {
        this.problems = problems;
        this.json = json;
    }

    Problem problem(int status) {
        Reason reason = Problem.reason(status);
        String detail = reason == Reason.BAD_REQUEST
                ? "expected a well-formed HTTP request: a path that begins with /, and percent-encoding where it is needed"
                : reason.meaning();
        return problems.of(reason, detail, null, null);
    }

    ByteBuf document(Problem problem) {
        try {
            return Unpooled.wrappedBuffer(json.writeValueAsBytes(problem));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("every problem can be written", e);
        }
    }
}
