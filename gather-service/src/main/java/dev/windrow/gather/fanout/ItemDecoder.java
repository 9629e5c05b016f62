package dev.windrow.gather.fanout;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.windrow.gather.merge.ShardItem;
import dev.windrow.gather.merge.Values;
import dev.windrow.gather.query.ShardQuery.Source;
import dev.windrow.key.KeyCodec;
import dev.windrow.measure.Measure;
import dev.windrow.measure.MeasureValue;
import dev.windrow.table.TableSchema;
import dev.windrow.time.EventTimes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads bucket items of one dataset. */
final class ItemDecoder {

    private final List<Measure> measures;
    private final Source source;

    ItemDecoder(List<Measure> measures, Source source) {
        this.measures = measures;
        this.source = source;
    }

    /** The attributes it needs. */
    List<String> attributes() {
        List<String> names = new ArrayList<>();
        names.add(keyAttribute());
        for (Measure measure : measures) {
            names.add(TableSchema.measureAttribute(measure.name()));
            if (measure.kind().isTimed()) {
                names.add(TableSchema.measureTimeAttribute(measure.name()));
            }
        }
        return names;
    }

    private String keyAttribute() {
        return switch (source) {
            case TABLE -> TableSchema.SK;
            case INDEX -> TableSchema.INDEX_SK;
        };
    }

    ShardItem decode(Map<String, AttributeValue> item) {
        String key = required(item, keyAttribute()).s();
        String group = switch (source) {
            case TABLE -> key;
            case INDEX -> key.substring(0, key.lastIndexOf(KeyCodec.SEPARATOR));
        };
        List<@Nullable MeasureValue> values = new ArrayList<>(measures.size());
        for (Measure measure : measures) {
            values.add(value(item, measure));
        }
        return new ShardItem(key, group, new Values(measures, values));
    }

    private static @Nullable MeasureValue value(Map<String, AttributeValue> item, Measure measure) {
        AttributeValue value = item.get(TableSchema.measureAttribute(measure.name()));
        if (value == null) {
            return null;
        }
        BigDecimal number = new BigDecimal(value.n());
        if (!measure.kind().isTimed()) {
            return MeasureValue.of(number);
        }
        String time = TableSchema.measureTimeAttribute(measure.name());
        return MeasureValue.at(number, EventTimes.ofEpochSeconds(time, new BigDecimal(required(item, time).n())));
    }

    private static AttributeValue required(Map<String, AttributeValue> item, String name) {
        AttributeValue value = item.get(name);
        if (value == null) {
            throw new IllegalStateException("an item has no attribute " + name + ": it was not written by Windrow");
        }
        return value;
    }
}
