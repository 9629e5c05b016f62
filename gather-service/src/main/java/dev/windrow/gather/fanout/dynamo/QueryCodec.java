package dev.windrow.gather.fanout.dynamo;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
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

/** Query's requests and answers as JSON. Answers are read as a stream, straight into the merge's items. */
final class QueryCodec {

    private static final JsonFactory JSON = new JsonFactory();
    private static final int USUAL_BYTES = 1_024;

    private QueryCodec() {
    }

    /** The request for a page. */
    static byte[] request(String table, Read read, ItemDecoder decoder) {
        QueryExpression terms = QueryExpression.of(read.query(), decoder.attributes());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(USUAL_BYTES);
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            json.writeStartObject();
            json.writeStringField("TableName", table);
            if (terms.index().isPresent()) {
                json.writeStringField("IndexName", terms.index().get());
            }
            json.writeStringField("KeyConditionExpression", terms.keyCondition());
            if (terms.filter().isPresent()) {
                json.writeStringField("FilterExpression", terms.filter().get());
            }
            json.writeStringField("ProjectionExpression", terms.projection());
            json.writeObjectFieldStart("ExpressionAttributeNames");
            for (Map.Entry<String, String> name : terms.names().entrySet()) {
                json.writeStringField(name.getKey(), name.getValue());
            }
            json.writeEndObject();
            write(json, "ExpressionAttributeValues", terms.values());
            if (read.after().isPresent()) {
                write(json, "ExclusiveStartKey", read.after().get().key());
            }
            json.writeBooleanField("ScanIndexForward", !read.query().descending());
            json.writeBooleanField("ConsistentRead", read.query().consistent());
            json.writeNumberField("Limit", read.limit());
            json.writeStringField("ReturnConsumedCapacity", "TOTAL");
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static void write(JsonGenerator json, String field, Map<String, String> strings) throws IOException {
        json.writeObjectFieldStart(field);
        for (Map.Entry<String, String> string : strings.entrySet()) {
            json.writeObjectFieldStart(string.getKey());
            json.writeStringField("S", string.getValue());
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
        int attributes = decoder.attributes().size();
        while (json.nextToken() == JsonToken.START_OBJECT) {
            @Nullable
            String[] texts = new String[attributes];
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                int place = decoder.place(json.currentName());
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
