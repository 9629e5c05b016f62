package dev.windrow.bench.table;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.windrow.bench.partition.Demand;
import dev.windrow.bench.partition.Resource;

/** The error of a transaction that was not applied, with one reason for each of its items. */
final class Cancellation {

    private Cancellation() {
    }

    /**
     * @param changes of the transaction
     * @param demandsOfEach the capacity that each needs
     * @param throttled what is out of capacity, or null if a condition did not hold
     */
    static Refusal refusal(List<Change> changes, List<List<Demand>> demandsOfEach, @Nullable Resource throttled) {
        ObjectNode details = JsonNodeFactory.instance.objectNode();
        ArrayNode reasons = details.putArray("CancellationReasons");
        List<String> codes = new ArrayList<>();
        for (int i = 0; i < changes.size(); i++) {
            Change change = changes.get(i);
            ObjectNode reason = reasons.addObject();
            if (throttled != null && demandsOfEach.get(i).stream().anyMatch(d -> d.resource().equals(throttled))) {
                reason.put("Code", "ProvisionedThroughputExceeded").put("Message", Throttling.message(throttled));
            } else if (throttled == null && !change.held()) {
                reason.put("Code", "ConditionalCheckFailed").put("Message", "The conditional request failed");
                if (change.tellsOld() && change.before().exists()) {
                    reason.set("Item", change.before().json(List.of()));
                }
            } else {
                reason.put("Code", "None");
            }
            codes.add(reason.get("Code").textValue());
        }
        return new Refusal("TransactionCanceledException",
                "Transaction cancelled, please refer cancellation reasons for specific reasons " + codes, details);
    }
}
