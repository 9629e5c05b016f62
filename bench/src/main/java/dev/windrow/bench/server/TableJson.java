package dev.windrow.bench.server;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.windrow.bench.table.Bindings;
import dev.windrow.bench.table.Key;
import dev.windrow.bench.table.Outcome;
import dev.windrow.bench.table.Update;
import dev.windrow.bench.table.Value;
import dev.windrow.table.TableSchema;

/** The table's part of DynamoDB's JSON. */
final class TableJson {

    private static final Set<String> KNOWN = Set.of("TableName", "Key", "UpdateExpression", "ConditionExpression",
            "ExpressionAttributeNames", "ExpressionAttributeValues", "ReturnValues", "ReturnConsumedCapacity",
            "ReturnValuesOnConditionCheckFailure", "ConsistentRead");

    private TableJson() {
    }

    static Key key(JsonNode request) {
        for (Map.Entry<String, JsonNode> field : request.properties()) {
            if (!KNOWN.contains(field.getKey())) {
                throw new IllegalArgumentException(field.getKey() + ": expected one of " + KNOWN);
            }
        }
        JsonNode key = request.path("Key");
        if (key.size() != 2 || !key.path(TableSchema.PK).has("S") || !key.path(TableSchema.SK).has("S")) {
            throw new IllegalArgumentException("Key: expected pk and sk as strings");
        }
        return new Key(key.get(TableSchema.PK).get("S").asText(), key.get(TableSchema.SK).get("S").asText());
    }

    static Update update(JsonNode request) {
        Map<String, String> names = new HashMap<>();
        request.path("ExpressionAttributeNames").properties()
                .forEach(name -> names.put(name.getKey(), name.getValue().asText()));
        return Update.of(key(request), request.path("UpdateExpression").asText(), request.path("ConditionExpression").asText(),
                new Bindings(names, values(request.path("ExpressionAttributeValues"))));
    }

    private static Map<String, Value> values(JsonNode object) {
        Map<String, Value> values = new HashMap<>();
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            Map.Entry<String, JsonNode> typed = field.getValue().properties().iterator().next();
            JsonNode content = typed.getValue();
            List<String> members = new ArrayList<>(content.size());
            content.forEach(member -> members.add(member.asText()));
            values.put(field.getKey(), typed.getKey().equals("BS") ? Value.set(members)
                    : Value.of(typed.getKey(), content.asText()));
        }
        return values;
    }

    static ObjectNode item(Map<String, Value> item) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        item.forEach((name, value) -> {
            ObjectNode typed = json.putObject(name);
            if (value.content() instanceof BigDecimal number) {
                typed.put("N", number.toPlainString());
            } else if (value.content() instanceof String text) {
                typed.put(value.type(), text);
            } else {
                value.members().forEach(typed.putArray(value.type())::add);
            }
        });
        return json;
    }

    /** The error of a single update. */
    static Reply error(String prefix, Outcome outcome) {
        ObjectNode details = JsonNodeFactory.instance.objectNode();
        if (outcome.throttledBy() != null) {
            details.putArray("ThrottlingReasons").addObject()
                    .put("reason", (outcome.throttledBy().isIndex() ? "Index" : "Table") + "WriteKeyRangeThroughputExceeded")
                    .put("resource", outcome.throttledBy().arn());
        } else if (outcome.code().equals(Outcome.CONDITION_FAILED) && !outcome.item().isEmpty()) {
            details.set("Item", item(outcome.item()));
        }
        return Reply.error(prefix + outcome.code() + "Exception", "The request failed: " + outcome.code(), details);
    }

    /** The error of a transaction, with a reason for each of its updates. */
    static Reply cancelled(String prefix, List<Outcome> outcomes) {
        ObjectNode details = JsonNodeFactory.instance.objectNode();
        for (Outcome outcome : outcomes) {
            ObjectNode reason = details.withArray("CancellationReasons").addObject().put("Code", outcome.code());
            if (outcome.code().equals(Outcome.CONDITION_FAILED) && !outcome.item().isEmpty()) {
                reason.set("Item", item(outcome.item()));
            }
        }
        return Reply.error(prefix + "TransactionCanceledException",
                "Transaction cancelled, please refer cancellation reasons for specific reasons "
                        + outcomes.stream().map(Outcome::code).toList(),
                details);
    }
}
