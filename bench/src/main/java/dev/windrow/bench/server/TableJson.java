package dev.windrow.bench.server;

import java.util.List;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.windrow.bench.table.Key;
import dev.windrow.bench.table.MemoryTable.Outcome;
import dev.windrow.bench.table.Update;
import dev.windrow.bench.table.Values;
import dev.windrow.table.TableSchema;

/** The table's part of DynamoDB's JSON. */
final class TableJson {

    private static final Set<String> KNOWN = Set.of("TableName", "Key", "UpdateExpression", "ConditionExpression",
            "ExpressionAttributeNames", "ExpressionAttributeValues", "ReturnValues", "ReturnConsumedCapacity",
            "ReturnValuesOnConditionCheckFailure");

    private TableJson() {
    }

    static Key key(JsonNode key) {
        if (key.size() != 2 || !key.path(TableSchema.PK).has("S") || !key.path(TableSchema.SK).has("S")) {
            throw new IllegalArgumentException("Key: expected pk and sk as strings");
        }
        return new Key(Values.text(key, TableSchema.PK), Values.text(key, TableSchema.SK));
    }

    static Update update(JsonNode request) {
        request.fieldNames().forEachRemaining(field -> {
            if (!KNOWN.contains(field)) {
                throw new IllegalArgumentException(field + ": expected one of " + KNOWN);
            }
        });
        return new Update(key(request.path("Key")), request.path("UpdateExpression").asText(),
                request.path("ConditionExpression").asText(), request.path("ExpressionAttributeNames"),
                request.path("ExpressionAttributeValues"));
    }

    /** The error of a single update. */
    static Reply error(String prefix, Outcome outcome) {
        return Reply.error(prefix + outcome.code() + "Exception", "The request failed: " + outcome.code(), failed(outcome));
    }

    /** The error of a transaction, with a reason for each of its updates. */
    static Reply cancelled(String prefix, List<Outcome> outcomes) {
        ObjectNode details = Reply.NODES.objectNode();
        outcomes.forEach(outcome -> details.withArray("CancellationReasons").add(failed(outcome).put("Code", outcome.code())));
        return Reply.error(prefix + "TransactionCanceledException",
                "Transaction cancelled, please refer cancellation reasons for specific reasons "
                        + outcomes.stream().map(Outcome::code).toList(),
                details);
    }

    private static ObjectNode failed(Outcome outcome) {
        ObjectNode reason = Reply.NODES.objectNode();
        if (outcome.code().equals(Outcome.CONDITION_FAILED) && !outcome.item().isEmpty()) {
            reason.set("Item", outcome.item());
        }
        return reason;
    }
}
