package dev.windrow.bench.table;

import java.util.List;
import java.util.function.LongSupplier;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.windrow.bench.partition.AuditLog;
import dev.windrow.bench.partition.PartitionModel;

/**
 * The operations that Windrow uses, on one table in memory: UpdateItem, PutItem, TransactWriteItems, GetItem, Query,
 * DescribeTable, DescribeTimeToLive. Others are refused by name. Contention (TransactionConflict) is not modelled.
 */
public final class Operations {

    private static final List<String> KNOWN = List.of("UpdateItem", "PutItem", "TransactWriteItems", "GetItem", "Query",
            "DescribeTable", "DescribeTimeToLive");

    private final MemoryTable table;
    private final Writes writes;
    private final Reads reads;
    private final Meter meter = new Meter();

    /**
     * @param keys the table
     * @param model its capacity
     * @param time the model's time in nanoseconds
     * @param audit where applied writes are told
     */
    public Operations(TableKeys keys, PartitionModel model, LongSupplier time, AuditLog audit) {
        Expressions expressions = new Expressions();
        this.table = new MemoryTable(keys);
        this.writes = new Writes(table, expressions, model, time, meter, audit);
        this.reads = new Reads(table, expressions, model, time, meter);
    }

    /** What was counted. */
    public Meter meter() {
        return meter;
    }

    /** Grows with each change of an item. */
    public long version() {
        return table.version();
    }

    /** How many items the table has. */
    public long items() {
        return table.items();
    }

    /** Counts a request that was answered as the same one before it. */
    public void repeated(String operation) {
        meter.request(operation);
    }

    /**
     * Answers one request.
     *
     * @throws Refusal with the service's own error, or saying what this table does not know
     */
    public ObjectNode answer(String operation, JsonNode request) {
        meter.request(operation);
        return switch (operation) {
            case "UpdateItem" -> writes.updateItem(request);
            case "PutItem" -> writes.putItem(request);
            case "TransactWriteItems" -> writes.transactWriteItems(request);
            case "GetItem" -> reads.getItem(request);
            case "Query" -> reads.query(request);
            case "DescribeTable" -> describeTable();
            case "DescribeTimeToLive" -> describeTimeToLive();
            default -> throw new Refusal("UnknownOperationException",
                    "this table knows " + KNOWN + ", found " + operation);
        };
    }

    private ObjectNode describeTable() {
        TableKeys keys = table.keys();
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        ObjectNode described = answer.putObject("Table").put("TableName", keys.table()).put("TableStatus", "ACTIVE")
                .put("TableArn", "arn:aws:dynamodb:us-east-1:000000000000:table/" + keys.table()).put("ItemCount", items());
        described.putObject("BillingModeSummary").put("BillingMode", "PAY_PER_REQUEST");
        for (String name : List.of(keys.partition(), keys.sort(), keys.indexPartition(), keys.indexSort())) {
            described.withArray("AttributeDefinitions").addObject().put("AttributeName", name).put("AttributeType", "S");
        }
        keySchema(described, keys.partition(), keys.sort());
        ObjectNode index = described.putArray("GlobalSecondaryIndexes").addObject().put("IndexName", keys.index())
                .put("IndexStatus", "ACTIVE");
        index.putObject("Projection").put("ProjectionType", "ALL");
        keySchema(index, keys.indexPartition(), keys.indexSort());
        return answer;
    }

    private static void keySchema(ObjectNode of, String partition, String sort) {
        of.withArray("KeySchema").addObject().put("AttributeName", partition).put("KeyType", "HASH");
        of.withArray("KeySchema").addObject().put("AttributeName", sort).put("KeyType", "RANGE");
    }

    private static ObjectNode describeTimeToLive() {
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        answer.putObject("TimeToLiveDescription").put("TimeToLiveStatus", "ENABLED")
                .put("AttributeName", dev.windrow.table.TableSchema.TTL);
        return answer;
    }
}
