package dev.windrow.gather.fanout.dynamo;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

import dev.windrow.gather.lane.LaneItem;
import dev.windrow.lane.WatermarkCodec;
import dev.windrow.table.TableSchema;

/** BatchGetItem's requests and answers about lanes as JSON. */
final class LaneCodec {

    private static final JsonFactory JSON = new JsonFactory();
    private static final List<String> ATTRIBUTES = List.of(TableSchema.PK, TableSchema.LANE_EPOCH, TableSchema.LANE_BEAT,
            TableSchema.LANE_HOLDER, TableSchema.LANE_POSITION, TableSchema.LANE_APPLIED, TableSchema.LANE_PARKINGS,
            TableSchema.LANE_WATERMARKS);

    /**
     * What an answer holds.
     *
     * @param lanes by number
     * @param unprocessed the numbers of lanes that must be read again
     */
    record Page(Map<Integer, LaneItem> lanes, Set<Integer> unprocessed) {
    }

    private LaneCodec() {
    }

    /** The request for some lanes. */
    static byte[] request(String table, Iterable<Integer> lanes) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(1_024);
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            json.writeStartObject();
            json.writeObjectFieldStart("RequestItems");
            json.writeObjectFieldStart(table);
            json.writeArrayFieldStart("Keys");
            for (int lane : lanes) {
                json.writeStartObject();
                writeText(json, TableSchema.PK, TableSchema.lanePartitionKey(lane));
                writeText(json, TableSchema.SK, TableSchema.LANE_SK);
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeBooleanField("ConsistentRead", true);
            StringBuilder projection = new StringBuilder();
            json.writeObjectFieldStart("ExpressionAttributeNames");
            for (int i = 0; i < ATTRIBUTES.size(); i++) {
                json.writeStringField("#" + i, ATTRIBUTES.get(i));
                projection.append(i == 0 ? "#" : ",#").append(i);
            }
            json.writeEndObject();
            json.writeStringField("ProjectionExpression", projection.toString());
            json.writeEndObject();
            json.writeEndObject();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static void writeText(JsonGenerator json, String name, String text) throws IOException {
        json.writeObjectFieldStart(name);
        json.writeStringField("S", text);
        json.writeEndObject();
    }

    /**
     * Reads an answer.
     *
     * @throws IOException if it is no answer of DynamoDB, or holds lanes that no writer wrote
     */
    static Page page(byte[] answer) throws IOException {
        Map<Integer, LaneItem> lanes = new HashMap<>();
        Set<Integer> unprocessed = new TreeSet<>();
        try (JsonParser json = JSON.createParser(answer)) {
            require(json.nextToken() == JsonToken.START_OBJECT, json);
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String field = json.currentName();
                json.nextToken();
                switch (field) {
                    case "Responses" -> items(json, item -> {
                        LaneItem lane = lane(item);
                        lanes.put(lane.number(), lane);
                    });
                    case "UnprocessedKeys" -> items(json, key -> unprocessed.add(number(key)));
                    default -> json.skipChildren();
                }
            }
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
        return new Page(lanes, unprocessed);
    }

    /** What is done with the texts of an item's attributes. */
    private interface Items {

        void take(Map<String, String> texts);
    }

    /** Takes the objects of all arrays in an object, however deep: items by table, or keys beside other fields of a request. */
    private static void items(JsonParser json, Items items) throws IOException {
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            boolean keys = json.nextToken() == JsonToken.START_OBJECT;
            if (keys) {
                while (json.nextToken() == JsonToken.FIELD_NAME) {
                    boolean wanted = json.currentName().equals("Keys");
                    json.nextToken();
                    if (wanted) {
                        array(json, items);
                    } else {
                        json.skipChildren();
                    }
                }
            } else {
                array(json, items);
            }
        }
    }

    private static void array(JsonParser json, Items items) throws IOException {
        require(json.currentToken() == JsonToken.START_ARRAY, json);
        while (json.nextToken() == JsonToken.START_OBJECT) {
            Map<String, String> texts = new HashMap<>();
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                require(json.nextToken() == JsonToken.START_OBJECT, json);
                json.nextToken();
                json.nextToken();
                texts.put(name, json.getText());
                require(json.nextToken() == JsonToken.END_OBJECT, json);
            }
            items.take(texts);
        }
    }

    private static LaneItem lane(Map<String, String> texts) {
        long position = count(texts, TableSchema.LANE_POSITION);
        boolean parked = !texts.getOrDefault(TableSchema.LANE_PARKINGS, "").isEmpty();
        return new LaneItem(number(texts), count(texts, TableSchema.LANE_EPOCH), count(texts, TableSchema.LANE_BEAT),
                texts.getOrDefault(TableSchema.LANE_HOLDER, ""),
                count(texts, TableSchema.LANE_APPLIED) < position || parked,
                WatermarkCodec.decode(texts.getOrDefault(TableSchema.LANE_WATERMARKS, "")));
    }

    private static int number(Map<String, String> texts) {
        return TableSchema.laneNumber(texts.getOrDefault(TableSchema.PK, ""));
    }

    private static long count(Map<String, String> texts, String attribute) {
        return Long.parseLong(texts.getOrDefault(attribute, "0"));
    }

    private static void require(boolean met, JsonParser json) throws IOException {
        if (!met) {
            throw new IOException("expected lanes at " + json.currentLocation() + ", found " + json.currentToken());
        }
    }
}
