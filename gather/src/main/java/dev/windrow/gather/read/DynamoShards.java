package dev.windrow.gather.read;

import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingJsonFactory;

import dev.windrow.aws.AwsErrors;
import dev.windrow.aws.AwsJsonClient;
import dev.windrow.aws.AwsResponse;
import dev.windrow.base.KeyCodec;
import dev.windrow.base.Reason;
import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.MeasurePart;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.gather.plan.MeasureValues;
import dev.windrow.gather.plan.ReadSource;
import dev.windrow.gather.plan.ShardQuery;
import dev.windrow.gather.read.ShardReader.Read;
import dev.windrow.table.BucketKey;
import dev.windrow.table.TableSchema;
import io.smallrye.mutiny.Uni;

/**
 * Reads shards over DynamoDB's wire protocol: one signed POST per page, on the caller's event loop; the response is parsed into
 * items as a stream. Never retries; a read that times out closes its connection.
 *
 * @param timeout how long a response may take
 */
public record DynamoShards(AwsJsonClient client, String table, Duration timeout) implements ShardReader {

    private static final String TARGET = "DynamoDB_20120810.Query";
    private static final JsonFactory JSON = new MappingJsonFactory();
    /** The placeholder of a leaderboard's bound, the only value that is a number. */
    private static final String RANK_BOUND = ":b";

    @Override
    public Uni<ShardPage> read(Read read) {
        ItemDecoder decoder = new ItemDecoder(read.dataset(), read.query());
        return client.post(TARGET, request(read, decoder.attributes), timeout, decoder);
    }

    /** Wraps the failure of a request in a {@link GatherException} by {@link AwsErrors}, unless it is internal. */
    static Throwable withReason(Throwable failure) {
        Throwable cause = AwsErrors.cause(failure);
        if (cause instanceof GatherException) {
            return cause;
        }
        Reason reason = AwsErrors.reason(cause);
        return reason == Reason.INTERNAL ? cause : new GatherException(reason, cause);
    }

    /** Writes the request field by field: building a tree is slower, and this runs for each shard of each answer. */
    private byte[] request(Read read, List<String> attributes) {
        ShardQuery query = read.query();
        boolean counts = query.source() == ReadSource.RANK_COUNT;
        boolean ranked = counts || query.source() == ReadSource.RANK;
        // At most one of the two is set.
        String rankBound = ranked ? query.fromKey() + query.toKey() : "";
        Map<String, String> values = new LinkedHashMap<>();
        values.put(":p", query.partitionKey());
        String condition;
        if (!ranked) {
            condition = "#p = :p AND #0 BETWEEN :from AND :to";
            values.put(":from", query.fromKey());
            values.put(":to", query.toKey());
        } else if (rankBound.isEmpty()) {
            condition = "#p = :p";
        } else {
            condition = "#p = :p AND #0 " + (query.fromKey().isEmpty() ? "<" : ">") + (counts ? "" : "=") + " " + RANK_BOUND;
            values.put(RANK_BOUND, rankBound);
        }
        List<String> filters = new ArrayList<>();
        query.filters().forEach(filter -> {
            String value = ":f" + filters.size();
            values.put(value, filter);
            filters.add("begins_with(" + TableSchema.PK + ", " + value + ")");
        });
        return AwsJsonClient.body(json -> {
            json.writeStringField("TableName", table);
            if (query.source() != ReadSource.TABLE) {
                json.writeStringField("IndexName", ranked ? TableSchema.rankIndex(query.measure()) : TableSchema.INDEX);
            }
            json.writeStringField("KeyConditionExpression", condition);
            if (!filters.isEmpty()) {
                json.writeStringField("FilterExpression", String.join(" OR ", filters));
            }
            writeNames(json, query, attributes, !counts ? attributes.size() : rankBound.isEmpty() ? 0 : 1);
            write(json, "ExpressionAttributeValues", values);
            if (read.after().isPresent()) {
                write(json, "ExclusiveStartKey", read.after().get());
            }
            json.writeBooleanField("ScanIndexForward", !query.descending());
            json.writeBooleanField("ConsistentRead", query.consistent());
            json.writeNumberField("Limit", read.limit());
            json.writeStringField("ReturnConsumedCapacity", "TOTAL");
        });
    }

    /** Writes the projection, or a count instead, and the attribute names behind the placeholders in expressions. */
    private static void writeNames(JsonGenerator json, ShardQuery query, List<String> attributes, int named)
            throws IOException {
        if (query.source() == ReadSource.RANK_COUNT) {
            json.writeStringField("Select", "COUNT");
        } else {
            json.writeStringField("ProjectionExpression",
                    IntStream.range(0, named).mapToObj(i -> "#" + i).collect(Collectors.joining(",")));
        }
        json.writeObjectFieldStart("ExpressionAttributeNames");
        json.writeStringField("#p", switch (query.source()) {
            case TABLE -> TableSchema.PK;
            case INDEX -> TableSchema.INDEX_PK;
            case RANK, RANK_COUNT -> TableSchema.rankAttribute(query.measure());
        });
        for (int i = 0; i < named; i++) {
            json.writeStringField("#" + i, attributes.get(i));
        }
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, String field, Map<String, String> texts) throws IOException {
        json.writeObjectFieldStart(field);
        for (Map.Entry<String, String> text : texts.entrySet()) {
            boolean number = text.getKey().equals(RANK_BOUND) || TableSchema.isNumber(text.getKey());
            json.writeObjectFieldStart(text.getKey());
            json.writeStringField(number ? "N" : "S", text.getValue());
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    /** The text of a value such as {@code {"N":"3"}}. */
    private static String text(JsonParser json) throws IOException {
        require(json.currentToken(), JsonToken.START_OBJECT, json);
        require(json.nextToken(), JsonToken.FIELD_NAME, json);
        require(json.nextToken(), JsonToken.VALUE_STRING, json);
        String text = json.getText();
        require(json.nextToken(), JsonToken.END_OBJECT, json);
        return text;
    }

    private static void require(@Nullable JsonToken found, JsonToken expected, JsonParser json) throws IOException {
        if (found != expected) {
            throw new IOException("expected " + expected + " at " + json.currentLocation() + ", found " + found);
        }
    }

    /**
     * Decodes a response into a page of one dataset's items. Items of the table get the key that they have in the index, so
     * that items of several labels merge in the same order from either of them.
     */
    private static final class ItemDecoder implements AwsJsonClient.ResponseReader<ShardPage> {

        private final Dataset dataset;
        private final ShardQuery query;
        /** The attributes that are read, the sort key first. */
        private final List<String> attributes = new ArrayList<>();
        /** The first label values, shared by all items of a table partition, as encoded in index sort keys. */
        private final String first;
        /** The key shard of all these items, as encoded at the end of index sort keys. */
        private final String keyShard;

        ItemDecoder(Dataset dataset, ShardQuery query) {
            this.dataset = dataset;
            this.query = query;
            if (query.rankedBy() != null) {
                attributes.addAll(List.of(MeasurePart.VALUE.attribute(query.measure()), TableSchema.PK, TableSchema.SK));
            } else {
                attributes.add(query.source() == ReadSource.INDEX ? TableSchema.INDEX_SK : TableSchema.SK);
                attributes.addAll(ItemValues.attributes(dataset.measures()));
            }
            String partitionKey = query.partitionKey();
            int start = partitionKey.indexOf(KeyCodec.SEPARATOR) + 1;
            boolean table = query.source() == ReadSource.TABLE;
            int label = table ? partitionKey.indexOf(KeyCodec.SEPARATOR, start) : partitionKey.length();
            int shard = table ? partitionKey.lastIndexOf(KeyCodec.SEPARATOR) : partitionKey.length();
            this.first = partitionKey.substring(label, shard);
            this.keyShard = partitionKey.substring(shard);
        }

        @Override
        public ShardPage read(AwsResponse answer) throws IOException {
            answer.requireOk();
            List<ShardItem> items = new ArrayList<>();
            Optional<Map<String, String>> next = Optional.empty();
            int scanned = -1;
            double readUnits = 0;
            try (JsonParser json = JSON.createParser(answer.body())) {
                require(json.nextToken(), JsonToken.START_OBJECT, json);
                while (json.nextToken() == JsonToken.FIELD_NAME) {
                    String field = json.currentName();
                    json.nextToken();
                    switch (field) {
                        case "Items" -> items(json, items);
                        case "LastEvaluatedKey" -> next = Optional.of(DynamoItemReader.texts(json.readValueAsTree()))
                                .filter(key -> !key.isEmpty());
                        case "ScannedCount" -> scanned = json.getIntValue();
                        case "ConsumedCapacity" ->
                            readUnits = json.<JsonNode> readValueAsTree().path("CapacityUnits").asDouble();
                        default -> json.skipChildren();
                    }
                }
                require(json.currentToken(), JsonToken.END_OBJECT, json);
            }
            return new ShardPage(items, next, scanned < 0 ? items.size() : scanned, readUnits);
        }

        private void items(JsonParser json, List<ShardItem> items) throws IOException {
            require(json.currentToken(), JsonToken.START_ARRAY, json);
            while (json.nextToken() == JsonToken.START_OBJECT) {
                @Nullable
                String[] texts = new String[attributes.size()];
                while (json.nextToken() == JsonToken.FIELD_NAME) {
                    int place = attributes.indexOf(json.currentName());
                    json.nextToken();
                    if (place >= 0) {
                        texts[place] = text(json);
                    } else {
                        json.skipChildren();
                    }
                }
                ShardItem item = decode(texts);
                if (item != null) {
                    items.add(item);
                }
            }
            require(json.currentToken(), JsonToken.END_ARRAY, json);
        }

        @Override
        public Throwable failure(Throwable failure) {
            return withReason(failure);
        }

        /**
         * Returns the item, or null if it is not wanted.
         *
         * @param texts the values of {@code attributes}, in the same order; null where the item has none
         */
        @Nullable
        ShardItem decode(@Nullable String[] texts) {
            String sortKey = required(texts, 0);
            if (query.rankedBy() != null) {
                return ranked(texts, new BigDecimal(sortKey));
            }
            String key = query.source() == ReadSource.TABLE ? indexSortKey(sortKey) : sortKey;
            String group = group(key);
            return query.items().isWanted(key, group)
                    ? new ShardItem(key, group, new ItemValues(texts, 1).of(dataset.measures()))
                    : null;
        }

        /** Converts a table sort key, in which the label values that are not in the partition key follow the bucket's start. */
        private String indexSortKey(String sortKey) {
            int start = sortKey.indexOf(KeyCodec.SEPARATOR) + 1;
            int rest = sortKey.indexOf(KeyCodec.SEPARATOR, start);
            return rest < 0
                    ? sortKey.substring(start) + first + keyShard
                    : sortKey.substring(start, rest) + first + sortKey.substring(rest) + keyShard;
        }

        /** An item of a leaderboard, under the key that its bucket has in the index. */
        private ShardItem ranked(@Nullable String[] texts, BigDecimal number) {
            String key = BucketKey.ofTableKeys(required(texts, 1), required(texts, 2)).indexSortKey();
            List<@Nullable MeasureValue> values = new ArrayList<>();
            dataset.measures().forEach(
                    measure -> values.add(measure.name().equals(query.rankedBy()) ? MeasureValue.of(number) : null));
            return new ShardItem(key, group(key), new MeasureValues(dataset.measures(), values));
        }

        /** The bucket of a key: its start and its label. */
        private String group(String key) {
            String group = key.substring(0, key.lastIndexOf(KeyCodec.SEPARATOR));
            int values = 0;
            for (int i = group.indexOf(KeyCodec.SEPARATOR); i >= 0; i = group.indexOf(KeyCodec.SEPARATOR, i + 1)) {
                values++;
            }
            if (values != dataset.label().size()) {
                throw new GatherException(Reason.SCHEMA_MISMATCH,
                        "the table has a key with " + values + " label values where dataset " + dataset.name()
                                + " declares " + dataset.label().size()
                                + "; start the gatherer with the writers' dataset file");
            }
            return group;
        }

        private String required(@Nullable String[] texts, int place) {
            String text = texts[place];
            if (text == null) {
                throw new IllegalStateException(
                        "an item has no attribute " + attributes.get(place) + ": it was not written by Windrow");
            }
            return text;
        }
    }

}
