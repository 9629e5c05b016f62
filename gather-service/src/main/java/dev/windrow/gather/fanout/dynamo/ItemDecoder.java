package dev.windrow.gather.fanout.dynamo;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.windrow.gather.fanout.ShardReader;
import dev.windrow.gather.merge.MeasureValues;
import dev.windrow.gather.merge.ShardItem;
import dev.windrow.gather.query.ItemFilter;
import dev.windrow.gather.query.ShardQuery.Source;
import dev.windrow.key.KeyCodec;
import dev.windrow.measure.Measure;
import dev.windrow.measure.MeasureValue;
import dev.windrow.table.TableSchema;
import dev.windrow.time.EventTimes;

/**
 * Makes items of one dataset of the texts of their attributes. Items of the table get the key that they have in the index,
 * so that items of several labels merge in the same order wherever they were read.
 */
final class ItemDecoder {

    private final List<Measure> measures;
    private final Source source;
    private final ItemFilter wanted;
    /** The first values of the label of all items of a partition of the table, as they stand in index sort keys. */
    private final String first;
    /** The key shard of all these items, as index sort keys end. */
    private final String keyShard;
    private final List<String> attributes = new ArrayList<>();
    private final Map<String, Integer> places = new HashMap<>();

    ItemDecoder(ShardReader.Read read) {
        this.measures = read.dataset().measures();
        this.source = read.query().source();
        String partitionKey = read.query().partitionKey();
        int dataset = partitionKey.indexOf(KeyCodec.SEPARATOR) + 1;
        this.wanted = read.query().items();
        int label = source == Source.INDEX ? partitionKey.length() : partitionKey.indexOf(KeyCodec.SEPARATOR, dataset);
        int shard = source == Source.INDEX ? partitionKey.length() : partitionKey.lastIndexOf(KeyCodec.SEPARATOR);
        this.first = partitionKey.substring(label, shard);
        this.keyShard = partitionKey.substring(shard);
        attributes.add(switch (source) {
            case TABLE -> TableSchema.SK;
            case INDEX -> TableSchema.INDEX_SK;
        });
        for (Measure measure : measures) {
            attributes.add(TableSchema.measureAttribute(measure.name()));
            if (measure.kind().isTimed()) {
                attributes.add(TableSchema.measureTimeAttribute(measure.name()));
            }
        }
        for (int i = 0; i < attributes.size(); i++) {
            places.put(attributes.get(i), i);
        }
    }

    /** The attributes it needs, the sort key first. */
    List<String> attributes() {
        return attributes;
    }

    /** The place of an attribute among those it needs, or -1. */
    int place(String attribute) {
        return places.getOrDefault(attribute, -1);
    }

    /**
     * The item, or null if it is not wanted.
     *
     * @param texts the value of each attribute it needs, in their order; null where the item has none
     */
    @Nullable
    ShardItem decode(@Nullable String[] texts) {
        String sortKey = required(texts, 0);
        String key = switch (source) {
            case TABLE -> indexSortKey(sortKey);
            case INDEX -> sortKey;
        };
        String group = key.substring(0, key.lastIndexOf(KeyCodec.SEPARATOR));
        if (!wanted.isWanted(key, group)) {
            return null;
        }
        List<@Nullable MeasureValue> values = new ArrayList<>(measures.size());
        int place = 1;
        for (Measure measure : measures) {
            values.add(value(texts, place, measure));
            place += measure.kind().isTimed() ? 2 : 1;
        }
        return new ShardItem(key, group, new MeasureValues(measures, values));
    }

    /** The values of the label that are not in the partition key stand behind the bucket's start. */
    private String indexSortKey(String sortKey) {
        int start = sortKey.indexOf(KeyCodec.SEPARATOR) + 1;
        int rest = sortKey.indexOf(KeyCodec.SEPARATOR, start);
        return rest < 0
                ? sortKey.substring(start) + first + keyShard
                : sortKey.substring(start, rest) + first + sortKey.substring(rest) + keyShard;
    }

    private @Nullable MeasureValue value(@Nullable String[] texts, int place, Measure measure) {
        String text = texts[place];
        if (text == null) {
            return null;
        }
        BigDecimal number = new BigDecimal(text);
        if (!measure.kind().isTimed()) {
            return MeasureValue.of(number);
        }
        BigDecimal seconds = new BigDecimal(required(texts, place + 1));
        return MeasureValue.at(number, EventTimes.ofEpochSeconds(attributes.get(place + 1), seconds));
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
