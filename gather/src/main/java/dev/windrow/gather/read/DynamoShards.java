package dev.windrow.gather.read;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.SerializedString;

import dev.windrow.aws.AwsErrors;
import dev.windrow.aws.AwsJsonClient;
import dev.windrow.aws.AwsResponse;
import dev.windrow.base.KeyCodec;
import dev.windrow.base.Reason;
import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.EventTimes;
import dev.windrow.dataset.Measure;
import dev.windrow.dataset.MeasureKind;
import dev.windrow.dataset.MeasureKind.Part;
import dev.windrow.dataset.MeasureKind.PartReader;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.gather.plan.MeasureValues;
import dev.windrow.gather.plan.QueryPlan.ItemFilter;
import dev.windrow.gather.plan.QueryPlan.ShardQuery;
import dev.windrow.gather.plan.QueryPlan.ShardQuery.Source;
import dev.windrow.gather.read.ShardMerge.ShardItem;
import dev.windrow.gather.read.ShardReader.Read;
import dev.windrow.gather.read.ShardReader.ShardPage;
import dev.windrow.gather.read.ShardReader.ShardPage.Position;
import dev.windrow.table.BucketKey;
import dev.windrow.table.TableSchema;
import io.smallrye.mutiny.Uni;

/**
 * Reads shards by DynamoDB's wire protocol: one signed POST a page, on the caller's event loop, and the response read as a
 * stream into items. Never retries; a read that times out closes its connection.
 */
public final class DynamoShards implements ShardReader {

    private static final String TARGET = "DynamoDB_20120810.Query";
    private static final JsonFactory JSON = new JsonFactory();
    private static final int USUAL_BYTES = 1_024;
    /** The value that bounds a leaderboard, the only one that is a number. */
    private static final String RANK_BOUND = ":b";

    private final AwsJsonClient client;
    private final String table;
    private final Duration timeout;
    private volatile @Nullable QueryShape latest;

    /** @param timeout how long an answer may take */
    public DynamoShards(AwsJsonClient client, String table, Duration timeout) {
        this.client = client;
        this.table = table;
        this.timeout = timeout;
    }

    @Override
    public Uni<ShardPage> read(Read read) {
        QueryShape shape = shape(read);
        return client.post(TARGET, request(shape, read), timeout, new PageReader(new ItemDecoder(shape, read.query())));
    }

    /** All shards of a query have the same shape. It is made anew where queries of different shapes alternate. */
    private QueryShape shape(Read read) {
        QueryShape known = latest;
        if (known != null && known.isOf(read.dataset(), read.query().source(), read.query().rankedBy())) {
            return known;
        }
        QueryShape shape = new QueryShape(table, read.dataset(), read.query().source(), read.query().rankedBy());
        latest = shape;
        return shape;
    }

    /** Makes failures of a request the gatherer's, with the reasons of {@link AwsErrors}. */
    static Throwable withReason(Throwable failure) {
        Throwable cause = AwsErrors.cause(failure);
        if (cause instanceof GatherException) {
            return cause;
        }
        Reason reason = AwsErrors.reason(cause);
        return reason == Reason.INTERNAL ? cause : new GatherException(reason, cause);
    }

    private static byte[] request(QueryShape shape, Read read) {
        ShardQuery query = read.query();
        Map<String, String> values = new LinkedHashMap<>();
        values.put(":p", query.partitionKey());
        if (query.rankedBy() == null) {
            values.put(":from", query.fromKey());
            values.put(":to", query.toKey());
        }
        List<String> filters = new ArrayList<>();
        query.filters().forEach(filter -> {
            String value = ":f" + filters.size();
            values.put(value, filter);
            filters.add("begins_with(" + TableSchema.PK + ", " + value + ")");
        });
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(USUAL_BYTES);
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            json.writeStartObject();
            json.writeRaw(shape.head);
            if (!filters.isEmpty()) {
                json.writeStringField("FilterExpression", String.join(" OR ", filters));
            }
            if (query.rankedBy() != null) {
                writeRankCondition(json, shape, query, values);
            }
            write(json, "ExpressionAttributeValues", values);
            if (read.after().isPresent()) {
                write(json, "ExclusiveStartKey", read.after().get().key());
            }
            json.writeBooleanField("ScanIndexForward", !query.descending());
            json.writeBooleanField("ConsistentRead", query.consistent());
            json.writeNumberField("Limit", read.limit());
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** The condition on a leaderboard's keys, which has one bound or none, and the names that it uses. */
    private static void writeRankCondition(JsonGenerator json, QueryShape shape, ShardQuery query, Map<String, String> values)
            throws IOException {
        boolean counts = query.source() == ShardQuery.Source.RANK_COUNT;
        String bound = query.fromKey().isEmpty() ? query.toKey() : query.fromKey();
        String comparison = (query.fromKey().isEmpty() ? "<" : ">") + (counts ? "" : "=");
        if (!bound.isEmpty()) {
            values.put(RANK_BOUND, bound);
        }
        json.writeStringField("KeyConditionExpression",
                "#p = :p" + (bound.isEmpty() ? "" : " AND #0 " + comparison + " " + RANK_BOUND));
        json.writeObjectFieldStart("ExpressionAttributeNames");
        json.writeStringField("#p", TableSchema.rankAttribute(query.measure()));
        int used = counts ? (bound.isEmpty() ? 0 : 1) : shape.attributes.size();
        for (int i = 0; i < used; i++) {
            json.writeStringField("#" + i, shape.attributes.get(i));
        }
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, String field, Map<String, String> texts) throws IOException {
        json.writeObjectFieldStart(field);
        for (Map.Entry<String, String> string : texts.entrySet()) {
            boolean number = string.getKey().equals(RANK_BOUND) || TableSchema.isNumber(string.getKey());
            json.writeObjectFieldStart(string.getKey());
            json.writeStringField(number ? "N" : "S", string.getValue());
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    private static ShardPage page(byte[] answer, ItemDecoder decoder) throws IOException {
        List<ShardItem> items = new ArrayList<>();
        Optional<Position> next = Optional.empty();
        int scanned = -1;
        double readUnits = 0;
        try (JsonParser json = JSON.createParser(answer)) {
            require(json.nextToken(), JsonToken.START_OBJECT, json);
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String field = json.currentName();
                json.nextToken();
                switch (field) {
                    case "Items" -> items(json, decoder, items);
                    case "LastEvaluatedKey" -> next = position(json);
                    case "ScannedCount" -> scanned = json.getIntValue();
                    case "ConsumedCapacity" -> readUnits = readUnits(json);
                    default -> json.skipChildren();
                }
            }
            require(json.currentToken(), JsonToken.END_OBJECT, json);
        }
        return new ShardPage(items, next, scanned < 0 ? items.size() : scanned, readUnits);
    }

    private static void items(JsonParser json, ItemDecoder decoder, List<ShardItem> items) throws IOException {
        require(json.currentToken(), JsonToken.START_ARRAY, json);
        int attributes = decoder.shape.attributes.size();
        while (json.nextToken() == JsonToken.START_OBJECT) {
            @Nullable
            String[] texts = new String[attributes];
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                int place = decoder.shape.places.getOrDefault(json.currentName(), -1);
                json.nextToken();
                if (place >= 0) {
                    texts[place] = text(json);
                } else {
                    json.skipChildren();
                }
            }
            ShardItem item = decoder.decode(texts);
            if (item != null) {
                items.add(item);
            }
        }
        require(json.currentToken(), JsonToken.END_ARRAY, json);
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

    private static Optional<Position> position(JsonParser json) throws IOException {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            return Optional.empty();
        }
        Map<String, String> key = new HashMap<>();
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            json.nextToken();
            key.put(name, text(json));
        }
        return key.isEmpty() ? Optional.empty() : Optional.of(new Position(key));
    }

    private static double readUnits(JsonParser json) throws IOException {
        double units = 0;
        while (json.currentToken() != JsonToken.VALUE_NULL && json.nextToken() == JsonToken.FIELD_NAME) {
            boolean wanted = json.currentName().equals("CapacityUnits");
            json.nextToken();
            if (wanted) {
                units = json.getDoubleValue();
            } else {
                json.skipChildren();
            }
        }
        return units;
    }

    private static void require(@Nullable JsonToken found, JsonToken expected, JsonParser json) throws IOException {
        if (found != expected) {
            throw new IOException("expected " + expected + " at " + json.currentLocation() + ", found " + found);
        }
    }

    /** Reads the page in an answer. */
    private record PageReader(ItemDecoder decoder) implements AwsJsonClient.ResponseReader<ShardPage> {

        @Override
        public ShardPage read(AwsResponse answer) throws IOException {
            answer.requireOk();
            return page(answer.body(), decoder);
        }

        @Override
        public Throwable failure(Throwable failure) {
            return withReason(failure);
        }
    }

    /** What all Query requests for one dataset have in common: made once, as the shards of a query are many. */
    private static final class QueryShape {

        private final Dataset dataset;
        private final Source source;
        private final @Nullable String rankedBy;
        /** The attributes that are read, the sort key first, and the place of each. */
        private final List<String> attributes = new ArrayList<>();
        private final Map<String, Integer> places = new HashMap<>();
        /**
         * The first fields of a request, as JSON without the braces around them. For table and index, they include the key
         * condition, with the values {@code :p} (partition key), {@code :from} and {@code :to} (sort keys), and the attribute
         * names. For a leaderboard they include neither, as its condition may be unbounded.
         */
        private final SerializableString head;

        /** @param rankedBy the measure of a leaderboard; null for table and index */
        QueryShape(String table, Dataset dataset, Source source, @Nullable String rankedBy) {
            this.dataset = dataset;
            this.source = source;
            this.rankedBy = rankedBy;
            if (rankedBy == null) {
                attributes.add(source == Source.INDEX ? TableSchema.INDEX_SK : TableSchema.SK);
                attributes.addAll(ItemValues.attributes(dataset.measures()));
            } else {
                attributes.addAll(List.of(Part.VALUE.attribute(rankedBy), TableSchema.PK, TableSchema.SK));
            }
            for (int i = 0; i < attributes.size(); i++) {
                places.put(attributes.get(i), i);
            }
            this.head = new SerializedString(head(table));
        }

        /** By identity: datasets are few and large, and comparing their declarations costs more than it saves. */
        @SuppressWarnings("ReferenceEquality")
        boolean isOf(Dataset otherDataset, Source otherSource, @Nullable String otherRankedBy) {
            return dataset == otherDataset && source == otherSource && Objects.equals(rankedBy, otherRankedBy);
        }

        private String head(String table) {
            StringWriter text = new StringWriter();
            try (JsonGenerator json = JSON.createGenerator(text)) {
                json.writeStartObject();
                json.writeStringField("TableName", table);
                if (source != Source.TABLE) {
                    json.writeStringField("IndexName",
                            rankedBy == null ? TableSchema.INDEX : TableSchema.rankIndex(rankedBy));
                }
                if (source == Source.RANK_COUNT) {
                    json.writeStringField("Select", "COUNT");
                } else {
                    json.writeStringField("ProjectionExpression", IntStream.range(0, attributes.size())
                            .mapToObj(i -> "#" + i).collect(Collectors.joining(",")));
                }
                if (rankedBy == null) {
                    // The first attribute is the sort key, so the condition can share its name.
                    json.writeStringField("KeyConditionExpression", (source == Source.INDEX ? TableSchema.INDEX_PK
                            : TableSchema.PK) + " = :p AND #0 BETWEEN :from AND :to");
                    json.writeObjectFieldStart("ExpressionAttributeNames");
                    for (int i = 0; i < attributes.size(); i++) {
                        json.writeStringField("#" + i, attributes.get(i));
                    }
                    json.writeEndObject();
                }
                json.writeStringField("ReturnConsumedCapacity", "TOTAL");
                json.writeEndObject();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return text.toString().substring(1, text.toString().length() - 1) + ",";
        }
    }

    /**
     * Makes items of one dataset of the texts of their attributes. Items of the table get the key that they have in the index,
     * so that items of several labels merge in the same order wherever they were read.
     */
    private static final class ItemDecoder {

        private final QueryShape shape;
        private final List<Measure> measures;
        private final ItemFilter wanted;
        /** The first values of the label of all items of a partition of the table, as they stand in index sort keys. */
        private final String first;
        /** The key shard of all these items, as index sort keys end. */
        private final String keyShard;

        ItemDecoder(QueryShape shape, ShardQuery query) {
            this.shape = shape;
            this.measures = shape.dataset.measures();
            this.wanted = query.items();
            String partitionKey = query.partitionKey();
            int dataset = partitionKey.indexOf(KeyCodec.SEPARATOR) + 1;
            boolean table = shape.source == Source.TABLE;
            int label = table ? partitionKey.indexOf(KeyCodec.SEPARATOR, dataset) : partitionKey.length();
            int shard = table ? partitionKey.lastIndexOf(KeyCodec.SEPARATOR) : partitionKey.length();
            this.first = partitionKey.substring(label, shard);
            this.keyShard = partitionKey.substring(shard);
        }

        /**
         * The item, or null if it is not wanted.
         *
         * @param texts the value of each attribute of the shape, in their order; null where the item has none
         */
        @Nullable
        ShardItem decode(@Nullable String[] texts) {
            String sortKey = required(texts, 0);
            if (shape.rankedBy != null) {
                return ranked(texts, new BigDecimal(sortKey));
            }
            String key = shape.source == Source.TABLE ? indexSortKey(sortKey) : sortKey;
            String group = group(key);
            if (!wanted.isWanted(key, group)) {
                return null;
            }
            return new ShardItem(key, group, new ItemValues(texts, 1).of(measures));
        }

        /** The values of the label that are not in the partition key stand behind the bucket's start. */
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
            List<@Nullable MeasureValue> values = new ArrayList<>(measures.size());
            measures.forEach(measure -> values.add(measure.name().equals(shape.rankedBy) ? MeasureValue.of(number) : null));
            return new ShardItem(key, group(key), new MeasureValues(measures, values));
        }

        /** The bucket of a key: its start and its label. */
        private String group(String key) {
            String group = key.substring(0, key.lastIndexOf(KeyCodec.SEPARATOR));
            int values = 0;
            for (int i = group.indexOf(KeyCodec.SEPARATOR); i >= 0; i = group.indexOf(KeyCodec.SEPARATOR, i + 1)) {
                values++;
            }
            if (values != shape.dataset.label().size()) {
                throw new GatherException(Reason.SCHEMA_MISMATCH,
                        "the table has a key with " + values + " label values where dataset " + shape.dataset.name()
                                + " declares " + shape.dataset.label().size()
                                + "; start the gatherer with the writers' dataset file");
            }
            return group;
        }

        private String required(@Nullable String[] texts, int place) {
            String text = texts[place];
            if (text == null) {
                throw new IllegalStateException(
                        "an item has no attribute " + shape.attributes.get(place) + ": it was not written by Windrow");
            }
            return text;
        }
    }

    /** The values of measures in an item, read one after the other. */
    public static final class ItemValues implements PartReader {

        private final @Nullable String[] texts;
        private int place;

        /**
         * @param texts of the item's attributes; null where it has none
         * @param place of the first of {@link #attributes}
         */
        public ItemValues(@Nullable String[] texts, int place) {
            this.texts = texts;
            this.place = place;
        }

        /** The attributes that hold the values of measures, in the order in which they are read. */
        public static List<String> attributes(List<Measure> measures) {
            return measures.stream()
                    .flatMap(measure -> measure.kind().parts().stream().map(part -> part.attribute(measure.name()))).toList();
        }

        /**
         * The values of all measures.
         *
         * @throws IllegalStateException if one lacks a part
         */
        public MeasureValues of(List<Measure> measures) {
            List<@Nullable MeasureValue> values = new ArrayList<>(measures.size());
            for (int i = 0; i < measures.size(); i++) {
                MeasureKind kind = measures.get(i).kind();
                if (texts[place] == null) {
                    values.add(null);
                    place += kind.parts().size();
                } else {
                    values.add(kind.read(this));
                }
            }
            return new MeasureValues(measures, values);
        }

        @Override
        public BigDecimal number(Part part) {
            String text = texts[place++];
            if (text == null) {
                throw new IllegalStateException("an item has a measure without its " + part.word()
                        + ": it was not written by Windrow");
            }
            return new BigDecimal(text);
        }

        @Override
        public Instant time(Part part) {
            return EventTimes.ofEpochSeconds(part.word(), number(part));
        }
    }
}
