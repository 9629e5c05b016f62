package dev.windrow.gather.fanout.dynamo;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.SerializedString;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Measure;
import dev.windrow.gather.query.ShardQuery.Source;
import dev.windrow.table.TableSchema;

/** What all Query requests for one dataset have in common: made once, as the shards of a query are many. */
final class QueryShape {

    private static final JsonFactory JSON = new JsonFactory();

    private final Dataset dataset;
    private final Source source;
    private final @Nullable String rankedBy;
    private final List<String> attributes = new ArrayList<>();
    private final Map<String, Integer> places = new HashMap<>();
    private final SerializableString head;

    /** @param rankedBy the measure of a leaderboard; null for table and index */
    QueryShape(String table, Dataset dataset, Source source, @Nullable String rankedBy) {
        this.dataset = dataset;
        this.source = source;
        this.rankedBy = rankedBy;
        if (rankedBy == null) {
            attributes.add(source == Source.INDEX ? TableSchema.INDEX_SK : TableSchema.SK);
        } else {
            attributes.addAll(List.of(TableSchema.measureAttribute(rankedBy), TableSchema.PK, TableSchema.SK));
        }
        for (Measure measure : rankedBy == null ? dataset.measures() : List.<Measure> of()) {
            attributes.add(TableSchema.measureAttribute(measure.name()));
            if (measure.kind().isTimed()) {
                attributes.add(TableSchema.measureTimeAttribute(measure.name()));
            }
        }
        for (int i = 0; i < attributes.size(); i++) {
            places.put(attributes.get(i), i);
        }
        this.head = new SerializedString(rankedBy == null ? head(table) : rankHead(table, rankedBy));
    }

    /** By identity: datasets are few and large, and comparing their declarations costs more than it saves. */
    @SuppressWarnings("ReferenceEquality")
    boolean isOf(Dataset otherDataset, Source otherSource, @Nullable String otherRankedBy) {
        return dataset == otherDataset && source == otherSource && Objects.equals(rankedBy, otherRankedBy);
    }

    Dataset dataset() {
        return dataset;
    }

    Source source() {
        return source;
    }

    /** The measure of a leaderboard; null for table and index. */
    @Nullable
    String rankedBy() {
        return rankedBy;
    }

    /** The attributes that are read, the sort key first. */
    List<String> attributes() {
        return attributes;
    }

    /** The place of an attribute among those that are read, or -1. */
    int place(String attribute) {
        return places.getOrDefault(attribute, -1);
    }

    /**
     * The first fields of a request, as JSON without the braces around them. For table and index, they include the key
     * condition, with the values {@code :p} (partition key), {@code :from} and {@code :to} (sort keys), and the attribute
     * names. For a leaderboard they include neither, as its condition may be unbounded.
     */
    SerializableString head() {
        return head;
    }

    private String head(String table) {
        boolean index = source == Source.INDEX;
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            json.writeStringField("TableName", table);
            if (index) {
                json.writeStringField("IndexName", TableSchema.INDEX);
            }
            // The first attribute is the sort key, so the condition can share its name.
            json.writeStringField("KeyConditionExpression",
                    (index ? TableSchema.INDEX_PK : TableSchema.PK) + " = :p AND #0 BETWEEN :from AND :to");
            json.writeStringField("ProjectionExpression", IntStream.range(0, attributes.size()).mapToObj(i -> "#" + i)
                    .collect(Collectors.joining(",")));
            json.writeObjectFieldStart("ExpressionAttributeNames");
            for (int i = 0; i < attributes.size(); i++) {
                json.writeStringField("#" + i, attributes.get(i));
            }
            json.writeEndObject();
            json.writeStringField("ReturnConsumedCapacity", "TOTAL");
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString().substring(1, text.toString().length() - 1) + ",";
    }

    private String rankHead(String table, String measure) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            json.writeStringField("TableName", table);
            json.writeStringField("IndexName", TableSchema.rankIndex(measure));
            if (source == Source.RANK_COUNT) {
                json.writeStringField("Select", "COUNT");
            } else {
                json.writeStringField("ProjectionExpression", "#0,#1,#2");
            }
            json.writeStringField("ReturnConsumedCapacity", "TOTAL");
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString().substring(1, text.toString().length() - 1) + ",";
    }
}
