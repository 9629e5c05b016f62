package dev.windrow.writer.operate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.windrow.aws.AwsErrors;
import dev.windrow.base.Reason;
import dev.windrow.base.SettingRange;
import dev.windrow.dataset.Scatter.Murmur3;
import dev.windrow.table.TableSchema;
import dev.windrow.writer.table.JournalItems;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

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
    private final Time time;
    private final Requests requests;
    private long pacedNanos;

    /** @param unitsPerSecond maximum average rate of read and write units together */
    TableSweep(DynamoDbAsyncClient dynamoDb, String table, double unitsPerSecond, Time time) {
        this.dynamoDb = dynamoDb;
        this.table = table;
        this.unitsPerSecond = unitsPerSecond;
        this.time = time;
        this.requests = new Requests(table, time);
    }

    /** A command's clock, which tests replace. */
    interface Time {

        Time SYSTEM = new Time() {
            @Override
            public long nanos() {
                return System.nanoTime();
            }

            @Override
            public void pause(Duration duration) {
                try {
                    TimeUnit.NANOSECONDS.sleep(duration.toNanos());
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IllegalStateException("interrupted", e);
                }
            }
        };

        /** Returns a time like {@link System#nanoTime()}. */
        long nanos();

        /** Blocks; returns at once if the duration is not positive. */
        void pause(Duration duration);
    }

    /**
     * Repeats requests of a command that runs for hours: a throttled table, a slow machine or a lost connection must not end
     * it. Errors that only the operator can mend, such as denied access or a missing table, are thrown at once.
     */
    record Requests(String table, Time time) {

        /** The last of them begins about three minutes after the first. */
        static final int MAX_ATTEMPTS = 10;

        private static final Duration FIRST_BACKOFF = Duration.ofSeconds(1);
        private static final Duration LONGEST_BACKOFF = Duration.ofSeconds(30);
        private static final int BAD_REQUEST = 400;
        private static final int SERVER_ERROR = 500;

        /** Sends a request whose repetition does no harm. */
        <T> T repeated(Supplier<CompletableFuture<T>> request) {
            return repeated(request.get(), request);
        }

        /** Returns the response to a request that was sent, and sends it again as long as that can help. */
        <T> T repeated(CompletableFuture<T> sent, Supplier<CompletableFuture<T>> again) {
            CompletableFuture<T> answer = sent;
            Duration backoff = FIRST_BACKOFF;
            for (int attempt = 1;; attempt++) {
                try {
                    return AwsErrors.join(answer);
                } catch (RuntimeException failure) {
                    if (!isPassing(failure)) {
                        throw failure;
                    }
                    if (attempt == MAX_ATTEMPTS) {
                        throw new IllegalStateException(outcome(failure) + ": "
                                + firstLine(AwsErrors.cause(failure)), failure);
                    }
                }
                time.pause(backoff);
                backoff = backoff.multipliedBy(2).compareTo(LONGEST_BACKOFF) > 0 ? LONGEST_BACKOFF : backoff.multipliedBy(2);
                answer = again.get();
            }
        }

        private String outcome(RuntimeException failure) {
            return AwsErrors.reason(failure) == Reason.THROTTLED
                    ? "table " + table + " throttled a request " + MAX_ATTEMPTS + " times in a row: run the command again when "
                            + "the table has capacity left, or with lower max-units"
                    : "a request to table " + table + " failed " + MAX_ATTEMPTS + " times in a row ("
                            + AwsErrors.reason(failure).word() + "): run the command again, and it continues";
        }

        /** The SDK explains some errors in many lines. */
        private static String firstLine(Throwable cause) {
            return String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
        }

        private static boolean isPassing(RuntimeException failure) {
            Reason reason = AwsErrors.reason(failure);
            boolean refused = AwsErrors.cause(failure) instanceof AwsServiceException answer
                    && answer.statusCode() >= BAD_REQUEST && answer.statusCode() < SERVER_ERROR;
            return reason == Reason.THROTTLED || reason == Reason.TIMED_OUT || reason == Reason.CONTENTION
                    || (reason == Reason.UNAVAILABLE && !refused);
        }
    }

    /** Decides how to change each item. */
    interface Visitor {

        /** Returns the change that an item needs; empty for none. */
        Optional<Change> change(Map<String, AttributeValue> item);

        /** Called after an item was changed, but not if it was deleted in the meantime. */
        default void changed(Map<String, AttributeValue> item, Change change) {
        }
    }

    sealed interface Change {

        /** Sets attributes to these values; at least one. */
        record Set(Map<String, AttributeValue> attributes) implements Change {
        }

        record Remove(String attribute) implements Change {
        }

        record Delete() implements Change {
        }
    }

    /** The outcome of a pass; {@code whole} unless it resumed an earlier one. */
    record Pass(long read, long changed, boolean whole) {
    }

    /** Item counts by dataset. */
    static final class Counts {

        private final SortedMap<String, Long> items = new TreeMap<>();

        void add(String dataset) {
            items.merge(dataset, 1L, Long::sum);
        }

        void clear() {
            items.clear();
        }

        boolean isEmpty() {
            return items.isEmpty();
        }

        @Override
        public String toString() {
            return items.isEmpty() ? "nothing"
                    : items.entrySet().stream().map(entry -> entry.getValue() + (entry.getValue() == 1 ? " item" : " items")
                            + " of dataset " + entry.getKey()).collect(Collectors.joining(", "));
        }
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
    Pass scan(Collection<String> attributes, @Nullable Progress progress, Visitor visitor) {
        Map<String, String> names = projection(attributes);
        Map<String, AttributeValue> from = progress == null ? Map.of() : progress.read();
        Pass pass = sweep(from, progress, visitor, start -> dynamoDb.scan(scan -> scan.tableName(table).limit(PAGE)
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
    Pass query(String partitionKey, Visitor visitor) {
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

    private Pass sweep(Map<String, AttributeValue> from, @Nullable Progress progress, Visitor visitor,
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
        return new Pass(read, changed, from.isEmpty());
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

        private record Sent(Map<String, AttributeValue> item, Change change, CompletableFuture<Double> units) {
        }

        private final Visitor visitor;
        private final List<Sent> sent = new ArrayList<>();
        private long changed;

        PageChanges(Visitor visitor) {
            this.visitor = visitor;
        }

        void visit(Map<String, AttributeValue> item) {
            Optional<Change> change = visitor.change(item);
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
        private CompletableFuture<Double> send(Map<String, AttributeValue> item, Change change) {
            Map<String, AttributeValue> key = new HashMap<>(item);
            key.keySet().retainAll(List.of(TableSchema.PK, TableSchema.SK));
            if (change instanceof Change.Delete) {
                return dynamoDb.deleteItem(delete -> delete.tableName(table).key(key)
                        .conditionExpression("attribute_exists(#pk)").expressionAttributeNames(Map.of("#pk", TableSchema.PK))
                        .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL))
                        .thenApply(done -> units(done.consumedCapacity(), 1));
            }
            Map<String, String> names = new HashMap<>(Map.of("#pk", TableSchema.PK));
            Map<String, AttributeValue> values = new HashMap<>();
            List<String> sets = new ArrayList<>();
            if (change instanceof Change.Set set) {
                set.attributes().forEach((attribute, value) -> {
                    names.put("#" + sets.size(), attribute);
                    values.put(":" + sets.size(), value);
                    sets.add("#" + sets.size() + " = :" + sets.size());
                });
            } else if (change instanceof Change.Remove remove) {
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

    /** The item of the registered datasets, or another item under the same partition key. */
    record RegistryItem(DynamoDbAsyncClient dynamoDb, String table, String sortKey) {

        private Map<String, AttributeValue> key() {
            return JournalItems.key(TableSchema.DATASETS_PK, sortKey);
        }

        Map<String, AttributeValue> read() {
            return AwsErrors.join(dynamoDb.getItem(get -> get.tableName(table).key(key()).consistentRead(true))).item();
        }

        /** @param condition null for none */
        void update(String expression, @Nullable String condition, Map<String, String> names,
                Map<String, AttributeValue> values) {
            Supplier<CompletableFuture<UpdateItemResponse>> request = () -> dynamoDb.updateItem(update -> update
                    .tableName(table).key(key()).updateExpression(expression).conditionExpression(condition)
                    .expressionAttributeNames(names).expressionAttributeValues(values.isEmpty() ? null : values));
            if (condition == null) {
                new Requests(table, Time.SYSTEM).repeated(request);
            } else {
                // Its own first attempt may have arrived, and would make the second fail.
                AwsErrors.join(request.get());
            }
        }
    }

    /** Progress of a command, stored in an item next to that of the registered datasets. */
    record Progress(RegistryItem item, String task) {

        /** Named after the first command with progress, as tables may hold that name. */
        private static final String TASK = "ranks";
        private static final String LAST_PK = "last-pk";
        private static final String LAST_SK = "last-sk";
        private static final Map<String, String> NAMES = Map.of("#t", TASK, "#p", LAST_PK, "#s", LAST_SK);

        /**
         * @param command name of the command, which has one progress at a time
         * @param task describes the work; progress of another task is ignored. Only its hash is stored, as the item of a
         *        stopped command stays until that command runs again
         */
        Progress(DynamoDbAsyncClient dynamoDb, String table, String command, String task) {
            this(new RegistryItem(dynamoDb, table, command), "%016x".formatted(Murmur3.hash64(task)));
        }

        /** Returns the key of the last item processed; empty if there is none. */
        Map<String, AttributeValue> read() {
            Map<String, AttributeValue> known = item.read();
            AttributeValue of = known.get(TASK);
            AttributeValue pk = known.get(LAST_PK);
            AttributeValue sk = known.get(LAST_SK);
            boolean same = of != null && task.equals(of.s());
            return same && pk != null && sk != null ? Map.of(TableSchema.PK, pk, TableSchema.SK, sk) : Map.of();
        }

        void keep(Map<String, AttributeValue> last) {
            Map<String, AttributeValue> values = new HashMap<>(Map.of(":t", AttributeValue.fromS(task)));
            values.put(":p", last.get(TableSchema.PK));
            values.put(":s", last.get(TableSchema.SK));
            item.update("SET #t = :t, #p = :p, #s = :s", null, NAMES, values);
        }

        /** Clears the progress, so that the next run starts from the beginning. No label stays behind in the keys. */
        void end() {
            item.update("REMOVE #t, #p, #s", null, NAMES, Map.of());
        }
    }

    /** Settings of the commands that sweep the table. */
    @RegisterForReflection
    @ConfigMapping(prefix = "windrow.sweep")
    public interface SweepConfig {

        /** Maximum rate, on average, at which the commands rank, erase and expire consume read and write units. */
        @SettingRange(unit = "units per second", above = "0")
        @WithDefault("200")
        double maxUnits();
    }
}
