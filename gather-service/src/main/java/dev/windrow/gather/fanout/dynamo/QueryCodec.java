package dev.windrow.gather.fanout.dynamo;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

import dev.windrow.gather.fanout.ShardPage;
import dev.windrow.gather.fanout.ShardPage.Position;
import dev.windrow.gather.fanout.ShardReader.Read;
import dev.windrow.gather.merge.ShardItem;
import dev.windrow.gather.query.ShardQuery;
import dev.windrow.table.TableSchema;

/** Query's requests and answers as JSON. Answers are read as a stream, straight into the merge's items. */
final class QueryCodec {

    private static final JsonFactory JSON = new JsonFactory();
    private static final int USUAL_BYTES = 1_024;
    /** The value that bounds a leaderboard, the only one that is a number. */
    private static final String RANK_BOUND = ":b";

    private QueryCodec() {
    }

    /** The request for a page. */
    static byte[] request(QueryShape shape, Read read) {
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
            json.writeRaw(shape.head());
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
        int used = counts ? (bound.isEmpty() ? 0 : 1) : shape.attributes().size();
        for (int i = 0; i < used; i++) {
            json.writeStringField("#" + i, shape.attributes().get(i));
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

    /** The page that an answer holds. */
    static ShardPage page(byte[] answer, ItemDecoder decoder) throws IOException {
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
        int attributes = decoder.shape().attributes().size();
        while (json.nextToken() == JsonToken.START_OBJECT) {
            @Nullable
            String[] texts = new String[attributes];
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                int place = decoder.shape().place(json.currentName());
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
}
