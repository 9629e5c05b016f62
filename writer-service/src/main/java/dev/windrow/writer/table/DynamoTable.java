package dev.windrow.writer.table;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.windrow.aws.AwsErrors;
import dev.windrow.aws.AwsJsonClient;
import dev.windrow.aws.AwsResponse;
import dev.windrow.base.Reason;
import dev.windrow.base.Sanitized;
import dev.windrow.table.TableSchema;
import io.smallrye.mutiny.Uni;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The table itself, through DynamoDB's JSON protocol. Transactions carry no client token: their conditions make repeats
 * harmless.
 */
public record DynamoTable(AwsJsonClient client, String table, Duration timeout) implements TableClient, TableReads {

    /** DynamoDB answers in milliseconds or not at all; a lane's lease is several times as long. */
    public static final Duration TIMEOUT = Duration.ofSeconds(5);

    private static final String TRANSACT = "DynamoDB_20120810.TransactWriteItems";
    private static final String UPDATE = "DynamoDB_20120810.UpdateItem";
    private static final String GET = "DynamoDB_20120810.GetItem";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String INDEX_OF_ARN = "/index/";
    private static final int BAD_REQUEST = 400;
    /** An attribute of a type that the writer never stores: a reader must find it wrong, not absent. */
    private static final AttributeValue OTHER = AttributeValue.fromNul(true);
    /** Maximum length of a key in errors: a label has up to 2,048 bytes, but a dead letter's detail must also fit the error. */
    private static final int KEY_CHARACTERS = 300;
    private static final int MAX_ITEMS = 5;

    @Override
    public Uni<WriteResult> write(TableWrite write) {
        boolean returnsItem = !write.transactional() && write.updates().get(0).returnsItem();
        byte[] request = write.transactional() ? transaction(write.updates()) : update(write.updates().get(0));
        return client.post(write.transactional() ? TRANSACT : UPDATE, request, timeout,
                answer -> result(carriedOut(answer), returnsItem)).onFailure()
                .transform(failure -> named(write, classified(failure)));
    }

    @Override
    public Uni<Map<String, AttributeValue>> read(String partitionKey, String sortKey) {
        return client.post(GET, AwsJsonClient.body(json -> {
            writeKey(json, partitionKey, sortKey);
            json.writeBooleanField("ConsistentRead", true);
        }), timeout, answer -> item(JSON.readTree(carriedOut(answer).body()).path("Item"))).onFailure()
                .transform(DynamoTable::classified);
    }

    private static AwsResponse carriedOut(AwsResponse answer) throws IOException {
        if (!answer.isOk()) {
            throw failure(answer);
        }
        return answer;
    }

    private byte[] transaction(List<ItemUpdate> updates) {
        return AwsJsonClient.body(json -> {
            json.writeArrayFieldStart("TransactItems");
            for (ItemUpdate update : updates) {
                json.writeStartObject();
                json.writeObjectFieldStart("Update");
                write(json, update);
                json.writeEndObject();
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeStringField("ReturnConsumedCapacity", "INDEXES");
        });
    }

    private byte[] update(ItemUpdate update) {
        return AwsJsonClient.body(json -> {
            write(json, update);
            if (update.returnsItem()) {
                json.writeStringField("ReturnValues", "ALL_NEW");
            }
            json.writeStringField("ReturnConsumedCapacity", "INDEXES");
        });
    }

    private void write(JsonGenerator json, ItemUpdate update) throws IOException {
        writeKey(json, update.partitionKey(), update.sortKey());
        update.write(json);
    }

    private void writeKey(JsonGenerator json, String partitionKey, String sortKey) throws IOException {
        json.writeStringField("TableName", table);
        json.writeObjectFieldStart("Key");
        json.writeFieldName(TableSchema.PK);
        ItemAttribute.text(partitionKey).write(json);
        json.writeFieldName(TableSchema.SK);
        ItemAttribute.text(sortKey).write(json);
        json.writeEndObject();
    }

    /** Reads the result, with the write units consumed from table and indexes if the response reports them. */
    static WriteResult result(AwsResponse answer, boolean returnsItem) throws IOException {
        JsonNode json = JSON.readTree(answer.body());
        JsonNode consumed = json.path("ConsumedCapacity");
        double units = 0;
        Map<String, Double> indexes = new HashMap<>();
        // For a transaction, an array with an entry for each table.
        for (JsonNode each : consumed.isArray() ? consumed : List.of(consumed)) {
            units += each.path("CapacityUnits").asDouble();
            each.path("GlobalSecondaryIndexes").properties().forEach(index -> indexes.merge(index.getKey(),
                    index.getValue().path("CapacityUnits").asDouble(), Double::sum));
        }
        return new WriteResult(units, indexes, returnsItem ? item(json.path("Attributes")) : Map.of());
    }

    static RuntimeException failure(AwsResponse answer) throws IOException {
        AwsResponse.Refusal refusal = answer.refusal();
        return switch (refusal.type()) {
            case "TransactionCanceledException" -> cancelled(
                    JSON.readTree(answer.body()).path("CancellationReasons"), refusal.toString());
            case "ConditionalCheckFailedException" -> new ConditionFailedException(
                    Map.of(0, item(JSON.readTree(answer.body()).path("Item"))));
            default -> failed(AwsErrors.reason(refusal.type(), refusal.status(), refusal.message()),
                    refusal.toString(), answer);
        };
    }

    /** Adds the throttled resource, if the response names it (DynamoDB API reference, ThrottlingReason). */
    private static WriteFailedException failed(Reason reason, String detail, AwsResponse answer) throws IOException {
        JsonNode throttled;
        try {
            throttled = JSON.readTree(answer.body()).path("ThrottlingReasons");
        } catch (JsonParseException e) {
            // A proxy in between answered with something other than JSON.
            return new WriteFailedException(reason, detail);
        }
        List<String> reasons = throttled.findValues("reason").stream().filter(JsonNode::isTextual)
                .map(JsonNode::textValue).toList();
        if (reasons.isEmpty()) {
            return new WriteFailedException(reason, detail);
        }
        return new WriteFailedException(reason, detail, WriteFailedException.WHOLE,
                reasons.stream().allMatch(each -> each.endsWith("KeyRangeThroughputExceeded")),
                resource(throttled.path(throttled.size() - 1).path("resource").asText()));
    }

    /** The index named by an ARN, or else the table; unknown if the ARN is empty. */
    private static String resource(String arn) {
        int index = arn.indexOf(INDEX_OF_ARN);
        return index >= 0 ? arn.substring(index + INDEX_OF_ARN.length())
                : arn.isEmpty() ? WriteFailedException.UNKNOWN_RESOURCE : TABLE;
    }

    /** The attributes of an item that may be missing; all but strings, numbers, binaries and binary sets are {@link #OTHER}. */
    static Map<String, AttributeValue> item(JsonNode json) throws IOException {
        Map<String, AttributeValue> item = new HashMap<>();
        for (Map.Entry<String, JsonNode> attribute : json.properties()) {
            for (Map.Entry<String, JsonNode> typed : attribute.getValue().properties()) {
                JsonNode value = typed.getValue();
                switch (typed.getKey()) {
                    case "S" -> item.put(attribute.getKey(), AttributeValue.fromS(value.asText()));
                    case "N" -> item.put(attribute.getKey(), AttributeValue.fromN(value.asText()));
                    case "B" -> item.put(attribute.getKey(), AttributeValue.fromB(bytes(value)));
                    case "BS" -> {
                        List<SdkBytes> all = new ArrayList<>();
                        for (JsonNode one : value) {
                            all.add(bytes(one));
                        }
                        item.put(attribute.getKey(), AttributeValue.fromBs(all));
                    }
                    default -> item.put(attribute.getKey(), OTHER);
                }
            }
        }
        return item;
    }

    private static SdkBytes bytes(JsonNode base64) throws IOException {
        return SdkBytes.fromByteArrayUnsafe(base64.binaryValue());
    }

    /** Wraps a failure with its reason according to {@link AwsErrors}. */
    private static RuntimeException classified(Throwable failure) {
        Throwable cause = AwsErrors.cause(failure);
        if (cause instanceof WriteFailedException || cause instanceof ConditionFailedException) {
            return (RuntimeException) cause;
        }
        return new WriteFailedException(AwsErrors.reason(cause),
                (cause instanceof JsonProcessingException ? "malformed response: " : "") + cause);
    }

    /**
     * The exception for a cancelled transaction. Its first update is its fence. While it is unknown whether the fence's
     * condition holds, a failed condition of another update may stem from an earlier attempt at the same transaction, whose
     * response was lost and which is not committed to all items yet. It must be repeated until the fence's state is known.
     *
     * @param reasons one for each update
     * @param message the detail if no update has a reason
     */
    static RuntimeException cancelled(JsonNode reasons, String message) throws IOException {
        Map<Integer, Map<String, AttributeValue>> items = new HashMap<>();
        WriteFailedException failed = null;
        for (int i = 0; i < reasons.size(); i++) {
            String code = reasons.path(i).path("Code").asText();
            if (code.equals("ConditionalCheckFailed")) {
                items.put(i, item(reasons.path(i).path("Item")));
            } else if (failed == null && !code.isEmpty() && !code.equals("None")) {
                String detail = reasons.path(i).path("Message").asText();
                failed = new WriteFailedException(AwsErrors.reason(code, BAD_REQUEST, detail), code + ": " + detail, i);
            }
        }
        if (failed != null && (items.isEmpty() || failed.position() == 0)) {
            return failed;
        }
        return items.isEmpty() ? new WriteFailedException(Reason.UNAVAILABLE, message) : new ConditionFailedException(items);
    }

    /** Adds items and attributes to the failure of a refused or denied write. */
    private static Throwable named(TableWrite write, Throwable failure) {
        if (!(failure instanceof WriteFailedException failed) || (failed.reason() != Reason.REFUSED && !failed.isDenied())) {
            return failure;
        }
        List<ItemUpdate> blamed = failed.position() == WriteFailedException.WHOLE ? write.updates()
                : List.of(write.updates().get(failed.position()));
        return new WriteFailedException(failed.reason(), failed.detail() + " (" + items(blamed) + ")", failed.position());
    }

    /** Describes the first five items and their attributes. */
    private static String items(List<ItemUpdate> updates) {
        StringJoiner keys = new StringJoiner(", ", updates.size() == 1 ? "item " : "items ", "");
        Set<String> attributes = new TreeSet<>();
        for (ItemUpdate update : updates.subList(0, Math.min(updates.size(), MAX_ITEMS))) {
            keys.add(Sanitized.line(update.partitionKey(), KEY_CHARACTERS) + " " + update.sortKey());
            attributes.addAll(update.attributes());
        }
        return keys + (updates.size() > MAX_ITEMS ? ", …" : "") + ", attributes " + attributes;
    }
}
