package dev.windrow.local.fault;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** What happens to one request. */
public sealed interface Fault {

    /** The name in the {@link ProxyAudit}: by default that of the class, with hyphens. */
    default String kind() {
        return getClass().getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
    }

    /** No fault: the request is forwarded and its answer returned. */
    record Pass() implements Fault {
    }

    /** The connection is cut, and the server never sees the request. */
    record CutBefore() implements Fault {
    }

    /** The server carries the request out, then the connection is cut: the answer is lost. */
    record CutAfter() implements Fault {
    }

    /** The request waits before the server, or another fault, gets it. */
    record DelayBefore(Duration delay, Fault then) implements Fault {
        @Override
        public String kind() {
            return then instanceof Pass ? "delay-before" : "delay-before+" + then.kind();
        }
    }

    /** The server carries the request out at once, and the answer waits. */
    record DelayAfter(Duration delay) implements Fault {
    }

    /**
     * The request hangs until released, then is forwarded.
     *
     * @param release releases every request that hangs on it, however it completes
     */
    record Hang(CompletionStage<?> release) implements Fault {
    }

    /**
     * The proxy answers in the server's place.
     *
     * @param kind the name in the audit
     * @param headers added to the content type and the request id that every answer of AWS has
     */
    record Answer(String kind, int status, Map<String, String> headers, ObjectNode body) implements Fault {
    }

    /**
     * The request, its answer, or both are changed on their way; responses other than 200 stay unchanged.
     *
     * @param kind the name in the audit
     * @param request what the server gets in place of the request
     * @param answer what the client gets in place of the answer
     */
    record Reshape(String kind, UnaryOperator<ObjectNode> request, UnaryOperator<ObjectNode> answer)
            implements
                Fault {
    }
}
