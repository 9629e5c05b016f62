package dev.windrow.gather.model;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * A declared dataset, and its events by tenant.
 *
 * @param eventType its event type; datasets of one type with the same first attributes are roll-ups
 * @param label attributes of the label
 * @param partition number of attributes in the partition key
 * @param granularities the stored granularities, finest first
 * @param index the indexed granularities, finest first
 * @param keyShards number of key shards of a label
 * @param widths of the index by first bucket start
 * @param strategy hash or random
 * @param events by tenant
 * @param completeSince the time from which on a roll-up has all events; null for all time
 * @param least minimum value of the attribute {@code a} for an event to count; null for all events
 * @param retention how long its buckets are kept
 */
public record ModelDataset(String name, String eventType, List<String> label, int partition, List<String> granularities,
        List<String> index, int keyShards, List<ModelMeasure> measures, SortedMap<Instant, Integer> widths, String strategy,
        Map<String, List<ModelEvent>> events, List<ModelRank> ranks, @Nullable Instant completeSince,
        @Nullable BigDecimal least, ModelRetention retention) {

    /** A dataset without leaderboards, with its own event type. */
    ModelDataset(String name, List<String> label, int partition, List<String> granularities, List<String> index,
            int keyShards, List<ModelMeasure> measures, SortedMap<Instant, Integer> widths, String strategy,
            Map<String, List<ModelEvent>> events) {
        this(name, name, label, partition, granularities, index, keyShards, measures, widths, strategy, events, List.of(),
                null, null, ModelRetention.FOREVER);
    }

    /** The declaration, below {@code windrow: datasets:}. */
    String yaml() {
        List<String> lines = new ArrayList<>(List.of(name + ":", "  event-type: " + eventType, "  label: " + label,
                "  granularities: " + granularities, "  index: " + index, "  key-shards: " + keyShards,
                "  scatter-strategy: " + strategy, "  measures:"));
        if (partition < label.size()) {
            lines.add(3, "  partition: " + partition);
        }
        for (ModelMeasure measure : measures) {
            lines.add("    " + measure.name() + ": " + measure.yaml());
        }
        lines.add("  scatter:");
        widths.forEach((from, width) -> lines.add("    - {from: " + from + ", width: " + width + "}"));
        if (completeSince != null) {
            lines.add("  complete-since: " + completeSince);
        }
        if (least != null) {
            lines.add("  where: {a: {from: " + least + "}}");
        }
        if (!retention.isForEver()) {
            lines.add("  retention: " + retention.yaml());
        }
        if (!ranks.isEmpty()) {
            lines.add("  rank:");
            ranks.forEach(rank -> lines.add("    - " + rank.yaml(label)));
        }
        return lines.stream().map(line -> "    " + line + "\n").collect(Collectors.joining());
    }

    public List<ModelEvent> of(String tenant) {
        return events.getOrDefault(tenant, List.of()).stream().filter(this::counts).toList();
    }

    private boolean counts(ModelEvent event) {
        BigDecimal a = event.attributes().get("a");
        return least == null || (a != null && a.compareTo(least) >= 0);
    }

    ModelDataset where(@Nullable BigDecimal atLeast) {
        return new ModelDataset(name, eventType, label, partition, granularities, index, keyShards, measures, widths, strategy,
                events, ranks, completeSince, atLeast, retention);
    }

    ModelDataset keeping(ModelRetention other) {
        return new ModelDataset(name, eventType, label, partition, granularities, index, keyShards, measures, widths, strategy,
                events, ranks, completeSince, least, other);
    }

    /** The range that a window of PromQL sums. */
    public ModelRange window(List<String> from, ModelRange range, Instant now) {
        return retention.window(from, range, now);
    }

    /** The granularities from which queries of these labels are answered. */
    List<String> stored(LabelFilter filter) {
        return isInTable(filter) ? granularities : index;
    }

    /** Whether all partition key values of these labels are given, so that they are read from the table. */
    boolean isInTable(LabelFilter filter) {
        return filter.shortest() >= partition;
    }

    Optional<ModelRank> rank(ModelMeasure by) {
        return ranks.stream().filter(rank -> rank.by().equals(by.name())).findFirst();
    }

    ModelMeasure measure(String measure) {
        return measures.stream().filter(any -> any.name().equals(measure)).findFirst().orElseThrow();
    }
}
