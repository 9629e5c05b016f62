package dev.windrow.writer;

import java.net.URI;
import java.util.Iterator;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.windrow.local.TestClients;
import dev.windrow.local.fault.Fault;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.local.fault.FaultProxy;
import dev.windrow.local.fault.ProxiedRequest;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/** A queue that delivers each message twice in one receive, and fails deletes or visibility changes. */
final class UnreliableQueue implements AutoCloseable {

    private final FaultProxy proxy;
    private final SqsAsyncClient sqs;

    private UnreliableQueue(URI endpoint, FaultPlan plan) {
        this.proxy = FaultProxy.start(endpoint, plan);
        this.sqs = TestClients.sqs(proxy.endpoint());
    }

    /**
     * @param failures share of deletes that fail, of batches and of entries
     * @param twice whether messages are delivered twice in one receive
     */
    static UnreliableQueue start(URI endpoint, RandomGenerator random, double failures, boolean twice) {
        FaultPlan deletes = request -> random.nextDouble() < failures ? new Fault.CutBefore()
                : someFail(request, random, failures);
        FaultPlan receives = request -> twice
                ? new Fault.Reshape("twice", UnaryOperator.identity(), UnreliableQueue::doubled)
                : new Fault.Pass();
        return new UnreliableQueue(endpoint,
                deletes.onlyFor("DeleteMessageBatch").or(receives.onlyFor("ReceiveMessage")));
    }

    /** A queue whose messages' visibility cannot be changed. */
    static UnreliableQueue withoutVisibilityChanges(URI endpoint) {
        return new UnreliableQueue(endpoint,
                FaultPlan.always(new Fault.CutBefore()).onlyFor("ChangeMessageVisibilityBatch"));
    }

    /** A client of the queue. */
    SqsAsyncClient sqs() {
        return sqs;
    }

    private static Fault someFail(ProxiedRequest request, RandomGenerator random, double share) {
        ObjectNode reduced = request.body().deepCopy();
        ArrayNode failed = JsonNodeFactory.instance.arrayNode();
        for (Iterator<JsonNode> entries = reduced.path("Entries").iterator(); entries.hasNext();) {
            String id = entries.next().path("Id").asText();
            if (random.nextDouble() < share) {
                failed.addObject().put("Id", id).put("Code", "Internal").put("SenderFault", random.nextDouble() < share);
                entries.remove();
            }
        }
        ObjectNode none = JsonNodeFactory.instance.objectNode();
        none.putArray("Successful");
        none.set("Failed", failed);
        return reduced.path("Entries").isEmpty() ? new Fault.Answer("entries-fail", 200, Map.of(), none)
                : new Fault.Reshape("entries-fail", original -> reduced, answer -> {
                    answer.withArray("/Failed").addAll(failed);
                    return answer;
                });
    }

    private static ObjectNode doubled(ObjectNode answer) {
        if (answer.path("Messages") instanceof ArrayNode messages) {
            messages.addAll(messages.deepCopy());
        }
        return answer;
    }

    @Override
    public void close() {
        sqs.close();
        proxy.close();
    }
}
