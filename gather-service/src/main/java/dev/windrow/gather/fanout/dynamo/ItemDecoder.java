package dev.windrow.gather.fanout.dynamo;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.KeyCodec;
import dev.windrow.base.Reason;
import dev.windrow.dataset.EventTimes;
import dev.windrow.dataset.Measure;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.gather.fanout.GatherException;
import dev.windrow.gather.merge.MeasureValues;
import dev.windrow.gather.merge.ShardItem;
import dev.windrow.gather.query.ItemFilter;
import dev.windrow.gather.query.ShardQuery;
import dev.windrow.gather.query.ShardQuery.Source;
import dev.windrow.table.BucketKey;

/**
 * Makes items of one dataset of the texts of their attributes. Items of the table get the key that they have in the index,
 * so that items of several labels merge in the same order wherever they were read.
 */
final class ItemDecoder {

    private final QueryShape shape;
    private final List<Measure> measures;
    private final ItemFilter wanted;
    /** The first values of the label of all items of a partition of the table, as they stand in index sort keys. */
    private final String first;
    /** The key shard of all these items, as index sort keys end. */
    private final String keyShard;

    ItemDecoder(QueryShape shape, ShardQuery query) {
        this.shape = shape;
        this.measures = shape.dataset().measures();
        this.wanted = query.items();
        String partitionKey = query.partitionKey();
        int dataset = partitionKey.indexOf(KeyCodec.SEPARATOR) + 1;
        boolean table = shape.source() == Source.TABLE;
        int label = table ? partitionKey.indexOf(KeyCodec.SEPARATOR, dataset) : partitionKey.length();
        int shard = table ? partitionKey.lastIndexOf(KeyCodec.SEPARATOR) : partitionKey.length();
        this.first = partitionKey.substring(label, shard);
        this.keyShard = partitionKey.substring(shard);
    }

    /** What its items are read by. */
    QueryShape shape() {
        return shape;
    }

    /**
     * The item, or null if it is not wanted.
     *
     * @param texts the value of each attribute of the shape, in their order; null where the item has none
     */
    @Nullable
    ShardItem decode(@Nullable String[] texts) {
        String sortKey = required(texts, 0);
        if (shape.rankedBy() != null) {
            return ranked(texts, new BigDecimal(sortKey));
        }
        String key = shape.source() == Source.TABLE ? indexSortKey(sortKey) : sortKey;
        String group = group(key);
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

    /** An item of a leaderboard, under the key that its bucket has in the index. */
    private ShardItem ranked(@Nullable String[] texts, BigDecimal number) {
        String key = BucketKey.ofTableKeys(required(texts, 1), required(texts, 2)).indexSortKey();
        List<@Nullable MeasureValue> values = new ArrayList<>(measures.size());
        measures.forEach(measure -> values.add(measure.name().equals(shape.rankedBy()) ? MeasureValue.of(number) : null));
        return new ShardItem(key, group(key), new MeasureValues(measures, values));
    }

    /** The bucket of a key: its start and its label. */
    private String group(String key) {
        String group = key.substring(0, key.lastIndexOf(KeyCodec.SEPARATOR));
        int values = 0;
        for (int i = group.indexOf(KeyCodec.SEPARATOR); i >= 0; i = group.indexOf(KeyCodec.SEPARATOR, i + 1)) {
            values++;
        }
        if (values != shape.dataset().label().size()) {
            throw new GatherException(Reason.SCHEMA_MISMATCH,
                    "the table has a key with " + values + " label values where dataset " + shape.dataset().name()
                            + " declares " + shape.dataset().label().size()
                            + "; start the gatherer with the writers' dataset file");
        }
        return group;
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
        return MeasureValue.at(number, EventTimes.ofEpochSeconds(shape.attributes().get(place + 1), seconds));
    }

    private String required(@Nullable String[] texts, int place) {
        String text = texts[place];
        if (text == null) {
            throw new IllegalStateException(
                    "an item has no attribute " + shape.attributes().get(place) + ": it was not written by Windrow");
        }
        return text;
    }
}
