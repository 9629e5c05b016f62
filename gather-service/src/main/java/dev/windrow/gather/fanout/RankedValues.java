package dev.windrow.gather.fanout;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import jakarta.enterprise.context.ApplicationScoped;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.EventTimes;
import dev.windrow.dataset.Measure;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.gather.fanout.ItemReader.ItemKey;
import dev.windrow.gather.merge.MeasureValues;
import dev.windrow.gather.query.RankPlan;
import dev.windrow.table.BucketKey;
import dev.windrow.table.Label;
import dev.windrow.table.SeriesKey;
import dev.windrow.table.TableSchema;
import io.smallrye.mutiny.Uni;

/** Reads the other measures of a leaderboard's labels: its index has only the one that they are ranked by. */
@ApplicationScoped
public class RankedValues {

    private final ItemReader items;

    public RankedValues(ItemReader items) {
        this.items = items;
    }

    /** The items with all their measures; the ranked one stays that of the index, though the table's may be newer. */
    public Uni<List<RankSearch.Item>> complete(RankSession session, RankPlan plan, List<RankSearch.Item> ranked) {
        List<Measure> measures = plan.scope().dataset().measures();
        if (measures.size() == 1 || ranked.isEmpty()) {
            return Uni.createFrom().item(ranked);
        }
        return read(session, plan, ranked.stream().map(item -> item.place().label()).toList()).map(values -> ranked.stream()
                .map(item -> new RankSearch.Item(item.place(), keeping(plan.by(), item.values(),
                        values.getOrDefault(item.place().label(), MeasureValues.none(measures)))))
                .toList());
    }

    /** The measures of labels in the bucket of a leaderboard, those that are there. */
    public Uni<Map<Label, MeasureValues>> read(RankSession session, RankPlan plan, List<Label> labels) {
        Map<ItemKey, Label> keys = new HashMap<>();
        labels.forEach(label -> keys.put(key(plan, label), label));
        List<Measure> measures = plan.scope().dataset().measures();
        return session.inTime(() -> items.read(List.copyOf(keys.keySet()), attributes(measures), false)).map(found -> {
            session.read(found);
            Map<Label, MeasureValues> values = new HashMap<>();
            found.texts().forEach(texts -> {
                Label label = keys
                        .get(new ItemKey(texts.getOrDefault(TableSchema.PK, ""), texts.getOrDefault(TableSchema.SK, "")));
                if (label != null) {
                    values.put(label, values(measures, texts));
                }
            });
            return values;
        });
    }

    private static ItemKey key(RankPlan plan, Label label) {
        Dataset dataset = plan.scope().dataset();
        SeriesKey series = new SeriesKey(plan.scope().tenant(), dataset.name(), label, dataset.partition(), 0);
        return new ItemKey(series.partitionKey(), new BucketKey(series, plan.granularity(), plan.start()).sortKey());
    }

    private static List<String> attributes(List<Measure> measures) {
        List<String> attributes = new ArrayList<>(List.of(TableSchema.PK, TableSchema.SK));
        for (Measure measure : measures) {
            attributes.add(TableSchema.measureAttribute(measure.name()));
            if (measure.kind().isTimed()) {
                attributes.add(TableSchema.measureTimeAttribute(measure.name()));
            }
        }
        return attributes;
    }

    private static MeasureValues values(List<Measure> measures, Map<String, String> texts) {
        List<@Nullable MeasureValue> values = new ArrayList<>();
        measures.forEach(measure -> values.add(value(measure, texts)));
        return new MeasureValues(measures, values);
    }

    private static @Nullable MeasureValue value(Measure measure, Map<String, String> texts) {
        String number = texts.get(TableSchema.measureAttribute(measure.name()));
        String attribute = TableSchema.measureTimeAttribute(measure.name());
        String time = texts.get(attribute);
        if (number == null) {
            return null;
        }
        return time == null ? MeasureValue.of(new BigDecimal(number))
                : MeasureValue.at(new BigDecimal(number), EventTimes.ofEpochSeconds(attribute, new BigDecimal(time)));
    }

    private static MeasureValues keeping(Measure by, MeasureValues ranked, MeasureValues other) {
        List<Measure> measures = new ArrayList<>();
        List<@Nullable MeasureValue> values = new ArrayList<>();
        other.forEach((measure, value) -> {
            measures.add(measure);
            values.add(measure.equals(by) ? ranked.at(measures.size() - 1).orElse(null) : value);
        });
        return new MeasureValues(measures, values);
    }
}
