package dev.windrow.writer.operate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.windrow.table.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;

/**
 * Reads items of a table page by page and changes those that need it, within a rate of read and write units. Each change is a
 * separate request on condition that the item still exists, so none is created again. Only a throttled request itself is
 * retried. Not thread-safe.
 */
final class TableSweep {

    /** Maximum items per read. */
    private static final int PAGE = 500;
    private static final int CONCURRENT_CHANGES = 25;
    /** Attempts per request, each in addition to the SDK's own retries. */

    private final DynamoDbAsyncClient dynamoDb;
    private final String table;
    private final double unitsPerSecond;
    private final CommandTime time;
    private final RepeatedRequests requests;
    private long pacedNanos;

    /** @param unitsPerSecond maximum average rate of read and write units together */
    TableSweep(DynamoDbAsyncClient dynamoDb, String table, double unitsPerSecond, CommandTime time) {
        this.dynamoDb = dynamoDb;
        this.table = table;
        this.unitsPerSecond = unitsPerSecond;
        this.time = time;
        this.requests = new RepeatedRequests(table, time);
    }

    /** A page of items; {@code last}, the key to continue from, is empty if there are no more. */
    private record Page(List<Map<String, AttributeValue>> items, Map<String, AttributeValue> last,
            @Nullable ConsumedCapacity capacity) {
    }

    /**
     * Scans the whole table, or continues where the last pass of the same task was stopped. Reads are eventually consistent.
     *
     * @param attributes attributes that the visitor needs in addition to the keys
     * @param progress stores the position of the pass until it ends; null to neither store nor resume
     */
    SweepPass scan(Collection<String> attributes, @Nullable SweepProgress progress, ItemVisitor visitor) {
        Map<String, String> names = projection(attributes);
        Map<String, AttributeValue> from = progress == null ? Map.of() : progress.read();
        SweepPass pass = sweep(from, progress, visitor, start -> dynamoDb.scan(scan -> scan.tableName(table).limit(PAGE)
                .projectionExpression(String.join(",", names.keySet())).expressionAttributeNames(names)
                .exclusiveStartKey(start.isEmpty() ? null : start).returnConsumedCapacity(ReturnConsumedCapacity.TOTAL))
                .thenApply(page -> new Page(page.items(), page.lastEvaluatedKey(), page.consumedCapacity())));
        if (progress != null) {
            progress.end();
        }
        return pass;
    }

    /** Returns a text attribute of an item; empty if it has none of that name. */
    static String text(Map<String, AttributeValue> item, String attribute) {
        AttributeValue value = item.get(attribute);
        return value == null || value.s() == null ? "" : value.s();
    }

    /** Reads the items of a partition key; reads are strongly consistent. */
    SweepPass query(String partitionKey, ItemVisitor visitor) {
        return sweep(Map.of(), null, visitor, start -> dynamoDb.query(query -> query.tableName(table).limit(PAGE)
                .consistentRead(true).keyConditionExpression("#pk = :pk").projectionExpression("#pk,#sk")
                .expressionAttributeNames(projection(List.of()))
                .expressionAttributeValues(Map.of(":pk", AttributeValue.fromS(partitionKey)))
                .exclusiveStartKey(start.isEmpty() ? null : start).returnConsumedCapacity(ReturnConsumedCapacity.TOTAL))
                .thenApply(page -> new Page(page.items(), page.lastEvaluatedKey(), page.consumedCapacity())));
    }

    private static Map<String, String> projection(Collection<String> attributes) {
        Map<String, String> names = new HashMap<>(Map.of("#pk", TableSchema.PK, "#sk", TableSchema.SK));
        attributes.forEach(attribute -> names.put("#" + names.size(), attribute));
        return names;
    }

    private SweepPass sweep(Map<String, AttributeValue> from, @Nullable SweepProgress progress, ItemVisitor visitor,
            Function<Map<String, AttributeValue>, CompletableFuture<Page>> reads) {
        long read = 0;
        long changed = 0;
        Map<String, AttributeValue> last = from;
        pacedNanos = time.nanos();
        do {
            Map<String, AttributeValue> start = last;
            Page page = requests.repeated(reads.apply(start), () -> reads.apply(start));
            pace(units(page.capacity, 0));
            PageChanges changes = new PageChanges(visitor);
            page.items.forEach(changes::visit);
            changes.await();
            read += page.items.size();
            changed += changes.changed;
            last = page.last;
            if (progress != null && !last.isEmpty()) {
                progress.keep(last);
            }
        } while (!last.isEmpty());
        return new SweepPass(read, changed, from.isEmpty());
    }

    /** Pauses until the units since the last pause are within the rate. Called often, as bursts would slow readers down. */
    private void pace(double units) {
        time.pause(Duration.ofNanos((long) (units / unitsPerSecond * TimeUnit.SECONDS.toNanos(1)))
                .minusNanos(time.nanos() - pacedNanos));
        pacedNanos = time.nanos();
    }

    private static double units(@Nullable ConsumedCapacity capacity, double unknown) {
        return capacity == null ? unknown : capacity.capacityUnits();
    }

    private final class PageChanges {

        private record Sent(Map<String, AttributeValue> item, ItemChange change, CompletableFuture<Double> units) {
        }

        private final ItemVisitor visitor;
        private final List<Sent> sent = new ArrayList<>();
        private long changed;

        PageChanges(ItemVisitor visitor) {
            this.visitor = visitor;
        }

        void visit(Map<String, AttributeValue> item) {
            Optional<ItemChange> change = visitor.change(item);
            if (change.isPresent()) {
                sent.add(new Sent(item, change.get(), send(item, change.get())));
            }
            if (sent.size() == CONCURRENT_CHANGES) {
                await();
            }
        }

        void await() {
            double units = 0;
            for (Sent one : sent) {
                try {
                    units += requests.repeated(one.units, () -> send(one.item, one.change));
                    changed++;
                    visitor.changed(one.item, one.change);
                } catch (ConditionalCheckFailedException deleted) {
                    units++;
                }
            }
            sent.clear();
            pace(units);
        }

        /** Sends a change; returns the units consumed. */
        private CompletableFuture<Double> send(Map<String, AttributeValue> item, ItemChange change) {
            Map<String, AttributeValue> key = new HashMap<>(item);
            key.keySet().retainAll(List.of(TableSchema.PK, TableSchema.SK));
            if (change instanceof ItemChange.Delete) {
                return dynamoDb.deleteItem(delete -> delete.tableName(table).key(key)
                        .conditionExpression("attribute_exists(#pk)").expressionAttributeNames(Map.of("#pk", TableSchema.PK))
                        .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL))
                        .thenApply(done -> units(done.consumedCapacity(), 1));
            }
            Map<String, String> names = new HashMap<>(Map.of("#pk", TableSchema.PK));
            Map<String, AttributeValue> values = new HashMap<>();
            List<String> sets = new ArrayList<>();
            if (change instanceof ItemChange.Set set) {
                set.attributes().forEach((attribute, value) -> {
                    names.put("#" + sets.size(), attribute);
                    values.put(":" + sets.size(), value);
                    sets.add("#" + sets.size() + " = :" + sets.size());
                });
            } else if (change instanceof ItemChange.Remove remove) {
                names.put("#0", remove.attribute());
            }
            String expression = sets.isEmpty() ? "REMOVE #0" : "SET " + String.join(", ", sets);
            return dynamoDb.updateItem(update -> update.tableName(table).key(key).updateExpression(expression)
                    .conditionExpression("attribute_exists(#pk)").expressionAttributeNames(names)
                    .expressionAttributeValues(values.isEmpty() ? null : values)
                    .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL))
                    .thenApply(done -> units(done.consumedCapacity(), 1));
        }
    }

}
