package dev.windrow.writer.process;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.windrow.local.fault.Fault;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.table.TableSchema.AwsLimits;

/**
 * A queue that delivers every message several times: a delete is confirmed but forgotten, and the message comes again at
 * once, as SQS's documentation warns; some messages are even twice in one receive, under two receipt handles. Shared by
 * the proxies of several writers.
 */
final class Redelivery {

    /** A handle of the second copy in one receive; the queue itself does not know it. */
    private static final String TWIN = "~twin";

    private final int times;
    private final RandomGenerator random;
    private final Consumer<String> redeliver;
    private final Map<String, String> messageOfHandle = new HashMap<>();
    private final Map<String, Integer> deliveries = new HashMap<>();
    private final Map<String, Set<String>> receivers = new HashMap<>();
    private int twins;

    /**
     * @param times how often each message is delivered at least
     * @param redeliver shows the message of a receipt handle again; it must not block
     */
    Redelivery(int times, RandomGenerator random, Consumer<String> redeliver) {
        this.times = times;
        this.random = random;
        this.redeliver = redeliver;
    }

    /** The plan for one writer. */
    FaultPlan to(String writer) {
        return request -> switch (request.operation()) {
            case "ReceiveMessage" -> new Fault.Reshape("redelivery", body -> body, body -> received(writer, body));
            case "DeleteMessageBatch" -> forgetful(request.body().deepCopy(), true);
            case "ChangeMessageVisibilityBatch" -> forgetful(request.body().deepCopy(), false);
            default -> new Fault.Pass();
        };
    }

    /** How often the message that came least often was delivered. */
    synchronized int leastDeliveries() {
        return deliveries.values().stream().mapToInt(Integer::intValue).min().orElse(0);
    }

    /** How many messages were delivered. */
    synchronized int messages() {
        return deliveries.size();
    }

    /** How many messages went to more than one writer. */
    synchronized long shared() {
        return receivers.values().stream().filter(writers -> writers.size() > 1).count();
    }

    /** How many messages were twice in one receive. */
    synchronized int twins() {
        return twins;
    }

    private synchronized ObjectNode received(String writer, ObjectNode answer) {
        ArrayNode messages = answer.withArray("/Messages");
        int asReceived = messages.size();
        for (int i = 0; i < asReceived; i++) {
            ObjectNode message = (ObjectNode) messages.get(i);
            String id = message.path("MessageId").asText();
            String handle = message.path("ReceiptHandle").asText();
            messageOfHandle.put(handle, id);
            receivers.computeIfAbsent(id, key -> new HashSet<>()).add(writer);
            deliveries.merge(id, 1, Integer::sum);
            if (random.nextBoolean() && messages.size() < AwsLimits.QUEUE_BATCH) {
                messages.add(message.deepCopy().put("ReceiptHandle", handle + TWIN));
                twins++;
            }
        }
        return answer;
    }

    private synchronized Fault forgetful(ObjectNode reduced, boolean delete) {
        List<String> forgotten = new ArrayList<>();
        for (Iterator<JsonNode> entries = reduced.path("Entries").iterator(); entries.hasNext();) {
            JsonNode entry = entries.next();
            String handle = entry.path("ReceiptHandle").asText();
            boolean again = delete && deliveries.getOrDefault(messageOfHandle.get(handle), times) < times;
            if (again) {
                redeliver.accept(handle);
            }
            if (again || handle.endsWith(TWIN)) {
                forgotten.add(entry.path("Id").asText());
                entries.remove();
            }
        }
        return reduced.path("Entries").isEmpty()
                ? new Fault.Answer("forgotten", 200, Map.of(), confirmed(JsonNodeFactory.instance.objectNode(), forgotten))
                : new Fault.Reshape("forgotten", body -> reduced, answer -> confirmed(answer, forgotten));
    }

    private static ObjectNode confirmed(ObjectNode answer, List<String> forgotten) {
        answer.withArray("/Failed");
        ArrayNode successful = answer.withArray("/Successful");
        forgotten.forEach(id -> successful.addObject().put("Id", id));
        return answer;
    }
}
