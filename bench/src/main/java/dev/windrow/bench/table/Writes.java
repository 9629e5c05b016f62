package dev.windrow.bench.table;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.windrow.bench.partition.Admission;
import dev.windrow.bench.partition.Admission.Admitted;
import dev.windrow.bench.partition.Admission.Throttled;
import dev.windrow.bench.partition.AuditEntry;
import dev.windrow.bench.partition.AuditLog;
import dev.windrow.bench.partition.Demand;
import dev.windrow.bench.partition.PartitionModel;
import dev.windrow.table.AwsLimits;

/** UpdateItem, PutItem and TransactWriteItems: evaluated, admitted by the model, then applied or refused as a whole. */
final class Writes {

    private static final int TOKENS_REMEMBERED = 10_000;

    private final MemoryTable table;
    private final Expressions expressions;
    private final PartitionModel model;
    private final LongSupplier time;
    private final Meter meter;
    private final AuditLog audit;
    private final Set<String> appliedTokens = new LinkedHashSet<>();

    Writes(MemoryTable table, Expressions expressions, PartitionModel model, LongSupplier time, Meter meter, AuditLog audit) {
        this.table = table;
        this.expressions = expressions;
        this.model = model;
        this.time = time;
        this.meter = meter;
        this.audit = audit;
    }

    ObjectNode updateItem(JsonNode request) {
        return single("UpdateItem", request, update(request));
    }

    ObjectNode putItem(JsonNode request) {
        return single("PutItem", request, put(request));
    }

    private ObjectNode single(String operation, JsonNode request, Change change) {
        List<Demand> demands = change.demands(table.keys(), false);
        Admission admission = model.write(demands);
        if (admission instanceof Throttled throttled) {
            meter.throttledRequest();
            throw Throttling.refusal(throttled.at(), true);
        }
        took(operation, demands, (Admitted) admission);
        if (!change.held()) {
            meter.failedCondition();
            ObjectNode details = JsonNodeFactory.instance.objectNode();
            if (change.tellsOld() && change.before().exists()) {
                details.set("Item", change.before().json(List.of()));
            }
            throw new Refusal("ConditionalCheckFailedException", "The conditional request failed", details);
        }
        apply(change, (Admitted) admission);
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        switch (request.path("ReturnValues").asText("NONE")) {
            case "NONE" -> {
            }
            case "ALL_NEW" -> answer.set("Attributes", change.after().json(List.of()));
            case "ALL_OLD" -> answer.set("Attributes", change.before().json(List.of()));
            default -> throw Refusal.invalid("ReturnValues: this table knows NONE, ALL_NEW and ALL_OLD");
        }
        Capacity.consumed(request, table.keys(), demands).ifPresent(consumed -> answer.set("ConsumedCapacity", consumed));
        return answer;
    }

    ObjectNode transactWriteItems(JsonNode request) {
        String token = request.path("ClientRequestToken").asText("");
        if (!token.isEmpty() && appliedTokens.contains(token)) {
            return JsonNodeFactory.instance.objectNode();
        }
        List<Change> changes = changes(request.path("TransactItems"));
        List<List<Demand>> demandsOfEach = changes.stream().map(change -> change.demands(table.keys(), true)).toList();
        List<Demand> demands = demandsOfEach.stream().flatMap(List::stream).toList();
        Admission admission = model.write(demands);
        if (admission instanceof Throttled throttled) {
            meter.throttledRequest();
            throw Cancellation.refusal(changes, demandsOfEach, throttled.at());
        }
        took("TransactWriteItems", demands, (Admitted) admission);
        if (!changes.stream().allMatch(Change::held)) {
            meter.failedCondition();
            throw Cancellation.refusal(changes, demandsOfEach, null);
        }
        changes.forEach(change -> apply(change, (Admitted) admission));
        remember(token);
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        Capacity.consumed(request, table.keys(), demands)
                .ifPresent(consumed -> answer.putArray("ConsumedCapacity").add(consumed));
        return answer;
    }

    private List<Change> changes(JsonNode items) {
        if (items.isEmpty() || items.size() > AwsLimits.TRANSACTION_ITEMS) {
            throw Refusal.invalid("TransactItems: expected 1 to " + AwsLimits.TRANSACTION_ITEMS + ", found " + items.size());
        }
        List<Change> changes = new ArrayList<>(items.size());
        Set<List<String>> seen = new LinkedHashSet<>();
        for (JsonNode item : items) {
            Change change = item.has("Update") ? update(item.get("Update"))
                    : item.has("Put") ? put(item.get("Put")) : unknown(item);
            if (!seen.add(List.of(change.partition(), change.sort()))) {
                throw Refusal.invalid("Transaction request cannot include multiple operations on one item");
            }
            changes.add(change);
        }
        return changes;
    }

    private static Change unknown(JsonNode item) {
        throw Refusal.invalid("TransactItems: this table knows Update and Put, found " + item.fieldNames().next());
    }

    private Change update(JsonNode request) {
        requireTable(request);
        Item key = Item.of(request.path("Key"));
        String partition = MemoryTable.requiredKey(key, table.keys().partition());
        String sort = MemoryTable.requiredKey(key, table.keys().sort());
        Item before = table.get(partition, sort);
        Scope scope = scope(request, before);
        boolean held = held(request, scope);
        Item after = expressions.update(request.path("UpdateExpression").asText(""))
                .apply(scope, key.attributes(), Set.of(table.keys().partition(), table.keys().sort()));
        return new Change(before, held ? after : before, partition, sort, held, tellsOld(request));
    }

    private Change put(JsonNode request) {
        requireTable(request);
        Item after = Item.of(request.path("Item"));
        String partition = MemoryTable.requiredKey(after, table.keys().partition());
        String sort = MemoryTable.requiredKey(after, table.keys().sort());
        Item before = table.get(partition, sort);
        boolean held = held(request, scope(request, before));
        return new Change(before, held ? after : before, partition, sort, held, tellsOld(request));
    }

    private boolean held(JsonNode request, Scope scope) {
        return expressions.condition(request.path("ConditionExpression").asText("")).holds(scope);
    }

    private static boolean tellsOld(JsonNode request) {
        return request.path("ReturnValuesOnConditionCheckFailure").asText().equals("ALL_OLD");
    }

    private static Scope scope(JsonNode request, Item item) {
        return new Scope(item, request.path("ExpressionAttributeNames"), request.path("ExpressionAttributeValues"));
    }

    private void requireTable(JsonNode request) {
        if (!request.path("TableName").asText().equals(table.keys().table())) {
            throw new Refusal("ResourceNotFoundException", "Requested resource not found");
        }
    }

    private void took(String operation, List<Demand> demands, Admitted admitted) {
        long now = time.getAsLong();
        for (Demand demand : demands) {
            meter.took(demand.resource().isIndex(), demand.units());
            audit.add(new AuditEntry(now, operation, demand.resource(), demand.units(), admitted.indexLag()));
        }
        meter.lagged(admitted.indexLag());
    }

    private void apply(Change change, Admitted admitted) {
        if (change.after().bytes() > AwsLimits.ITEM_BYTES) {
            throw Refusal.invalid("Item size to update has exceeded the maximum allowed size");
        }
        table.put(change.before(), change.after(), time.getAsLong(), admitted.indexLag());
        meter.wrote(change.after().entry(table.keys()).exists());
    }

    private void remember(String token) {
        if (!token.isEmpty()) {
            appliedTokens.add(token);
            if (appliedTokens.size() > TOKENS_REMEMBERED) {
                appliedTokens.remove(appliedTokens.iterator().next());
            }
        }
    }
}
