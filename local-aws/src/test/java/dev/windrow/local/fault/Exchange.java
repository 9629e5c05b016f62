package dev.windrow.local.fault;

import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;

/** One request on its way through the proxy, from its last byte to its answer's, all on the proxy's event loop. */
public final class Exchange {

    /** Headers of one connection, or of a body as it was before {@link Fault.Reshape}. */
    private static final Set<String> NOT_COPIED = Set.of("connection", "keep-alive", "host", "content-length",
            "transfer-encoding", "expect", "x-amz-crc32");

    private record Reply(int status, MultiMap headers, Buffer body) {
    }

    private final Vertx vertx;
    private final HttpClient client;
    private final URI target;
    private final ProxyAudit audit;
    private final HttpServerRequest incoming;
    private final ProxiedRequest request;
    private boolean ended;

    Exchange(Vertx vertx, HttpClient client, URI target, ProxyAudit audit, HttpServerRequest incoming, ProxiedRequest request) {
        this.vertx = vertx;
        this.client = client;
        this.target = target;
        this.audit = audit;
        this.incoming = incoming;
        this.request = request;
        audit.began(request.operation());
        // The end handler is called when the client goes away, too: only the response knows which it was.
        incoming.response().endHandler(ignored -> end(!incoming.response().ended()));
        incoming.response().closeHandler(ignored -> end(true));
    }

    void play(Fault fault) {
        audit.injected(fault.kind());
        carryOut(fault);
    }

    private void carryOut(Fault fault) {
        if (ended) {
            return;
        }
        if (fault instanceof Fault.Pass) {
            forward(request.bytes(), this::answer);
        } else if (fault instanceof Fault.CutBefore) {
            cut();
        } else if (fault instanceof Fault.CutAfter) {
            forward(request.bytes(), reply -> cut());
        } else if (fault instanceof Fault.DelayBefore delay) {
            after(delay.delay(), () -> carryOut(delay.then()));
        } else if (fault instanceof Fault.DelayAfter delay) {
            forward(request.bytes(), reply -> after(delay.delay(), () -> answer(reply)));
        } else if (fault instanceof Fault.Hang hang) {
            Context context = vertx.getOrCreateContext();
            hang.release().whenComplete((value, failure) -> context.runOnContext(ignored -> carryOut(new Fault.Pass())));
        } else if (fault instanceof Fault.Answer answer) {
            answer(answer);
        } else if (fault instanceof Fault.Reshape reshape) {
            forward(bytes(reshape.request().apply(ProxiedRequest.parse(request.bytes()))),
                    reply -> answer(reshaped(reply, reshape.answer())));
        }
    }

    private void forward(byte[] body, Consumer<Reply> then) {
        client.request(incoming.method(), incoming.uri()).compose(outgoing -> send(outgoing, body))
                .onSuccess(then::accept).onFailure(failure -> {
                    audit.injected("target-lost");
                    cut();
                });
    }

    private Future<Reply> send(HttpClientRequest outgoing, byte[] body) {
        copy(incoming.headers(), outgoing.headers());
        outgoing.putHeader(HttpHeaders.HOST, target.getAuthority());
        return outgoing.send(Buffer.buffer(body)).compose(response -> response.body()
                .map(answer -> new Reply(response.statusCode(), response.headers(), answer)));
    }

    private void answer(Reply reply) {
        if (ended) {
            return;
        }
        HttpServerResponse response = incoming.response().setStatusCode(reply.status());
        copy(reply.headers(), response.headers());
        response.end(reply.body());
    }

    private void answer(Fault.Answer answer) {
        MultiMap headers = MultiMap.caseInsensitiveMultiMap()
                .add("Content-Type", "application/x-amz-json-1.0")
                .add("x-amzn-RequestId", UUID.randomUUID().toString());
        for (Map.Entry<String, String> header : answer.headers().entrySet()) {
            headers.set(header.getKey(), header.getValue());
        }
        answer(new Reply(answer.status(), headers, Buffer.buffer(bytes(answer.body()))));
    }

    private static Reply reshaped(Reply reply, UnaryOperator<ObjectNode> change) {
        if (reply.status() != 200) {
            return reply;
        }
        byte[] body = bytes(change.apply(ProxiedRequest.parse(reply.body().getBytes())));
        return new Reply(reply.status(), reply.headers(), Buffer.buffer(body));
    }

    private void cut() {
        if (!ended) {
            end(false);
            incoming.connection().close();
        }
    }

    private void after(Duration delay, Runnable next) {
        vertx.setTimer(Math.max(1, delay.toMillis()), ignored -> next.run());
    }

    /** At most once: the end of a response, a cut and the client's disconnect may all be reported. */
    private void end(boolean byClient) {
        if (!ended) {
            ended = true;
            audit.ended(byClient);
        }
    }

    private static void copy(MultiMap from, MultiMap to) {
        for (Map.Entry<String, String> header : from) {
            if (!NOT_COPIED.contains(header.getKey().toLowerCase(Locale.ROOT))) {
                to.add(header.getKey(), header.getValue());
            }
        }
    }

    private static byte[] bytes(ObjectNode node) {
        try {
            return ProxiedRequest.JSON.writeValueAsBytes(node);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of JSON is always writable", e);
        }
    }

    /** Why DynamoDB cancels a transaction: a reason of one of its items (API reference, "TransactWriteItems"). */
    public enum Cancellation {

        /** The item's partition is throttled, on a table with on-demand capacity. */
        THROTTLED("ThrottlingError", "Throughput exceeds the current capacity of your table or index."),

        /** The item's partition is throttled, on a table with provisioned capacity. */
        THROUGHPUT_EXCEEDED("ProvisionedThroughputExceeded",
                "The level of configured provisioned throughput for the table was exceeded."),

        /** Another request works on the item. */
        CONFLICT("TransactionConflict", "Transaction is ongoing for the item"),

        /** The item's condition does not hold. */
        CONDITION_FAILED("ConditionalCheckFailed", "The conditional request failed");

        private final String code;
        private final String message;

        Cancellation(String code, String message) {
            this.code = code;
            this.message = message;
        }

        /** As in the answer's {@code CancellationReasons}. */
        public String code() {
            return code;
        }

        public String message() {
            return message;
        }
    }
}
