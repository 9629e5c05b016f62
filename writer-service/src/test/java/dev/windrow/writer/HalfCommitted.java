package dev.windrow.writer;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.windrow.local.fault.DynamoDbFaults;
import dev.windrow.local.fault.Exchange.Cancellation;
import dev.windrow.local.fault.Fault;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.local.fault.ProxiedRequest;

/**
 * The answer to a transaction is lost, and its first repetition meets it half committed: the item with the record of what
 * was done, its last one, is written, and the first one is not yet. Everything else passes.
 */
final class HalfCommitted implements FaultPlan {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern ASSIGNMENT = Pattern.compile("(#\\w+)(?: = | )(:\\w+)");

    private final Predicate<JsonNode> last;
    private final @Nullable Cancellation lane;
    private int met;

    /**
     * @param last recognizes the transaction to fault by its last update
     * @param lane the reason of the first item; null for none
     */
    HalfCommitted(Predicate<JsonNode> last, @Nullable Cancellation lane) {
        this.last = last;
        this.lane = lane;
    }

    @Override
    public Fault decide(ProxiedRequest request) {
        JsonNode items = request.body().path("TransactItems");
        JsonNode update = items.path(items.size() - 1).path("Update");
        if (!request.operation().equals("TransactWriteItems") || met == 2 || !last.test(update)) {
            return new Fault.Pass();
        }
        met++;
        if (met == 1) {
            return new Fault.CutAfter();
        }
        Map<Integer, Cancellation> cancellations = new HashMap<>(Map.of(items.size() - 1, Cancellation.CONDITION_FAILED));
        if (lane != null) {
            cancellations.put(0, lane);
        }
        return DynamoDbFaults.transactionCanceled(request, cancellations, Map.of(items.size() - 1, itemAfter(update)));
    }

    /** What an item has after an update, as far as that says it. */
    private static ObjectNode itemAfter(JsonNode update) {
        ObjectNode item = JSON.createObjectNode();
        Matcher assignment = ASSIGNMENT.matcher(update.path("UpdateExpression").asText());
        while (assignment.find()) {
            item.set(update.path("ExpressionAttributeNames").path(assignment.group(1)).asText(),
                    update.path("ExpressionAttributeValues").path(assignment.group(2)));
        }
        return item;
    }
}
