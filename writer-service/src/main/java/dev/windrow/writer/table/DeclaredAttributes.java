package dev.windrow.writer.table;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.KeyCodec;
import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.Rank;
import dev.windrow.table.BucketKey;
import dev.windrow.table.RankKey;
import dev.windrow.table.SeriesKey;
import dev.windrow.table.TableSchema;
import dev.windrow.time.Granularity;
import dev.windrow.time.Retention;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A bucket item's attributes besides measures: its keys in leaderboards, and its expiry. Both depend only on the item's keys
 * and the current declarations, so that all updates of an item agree. An item enters a leaderboard that was declared later
 * with its next write, whichever writer claimed it. The leaderboards of datasets that only other writers declare come from
 * the table's registry; the expiry of their items is unknown here, and is set by their next update.
 */
public final class DeclaredAttributes {

    static final DeclaredAttributes NONE = new DeclaredAttributes(Set.of(), Map.of(), Map.of());

    private final Set<String> declared;
    private final Map<String, Ranked> ranked;
    /** By dataset; only datasets with buckets that expire. */
    private final Map<String, Retention> retentions;

    /** The leaderboards of a dataset, and the number of values in its labels, null if unknown. */
    private record Ranked(@Nullable Integer labelSize, List<Line> lines) {
    }

    /** A leaderboard as {@link Rank#text()} writes it. */
    private record Line(String by, int within, int width, Set<String> granularities) {

        Line {
            if (within < 0 || width < 1) {
                throw new IllegalArgumentException("expected a width above 0, found " + width + " within " + within);
            }
        }

        static Line parse(String text) {
            List<String> parts = KeyCodec.decode(text);
            return new Line(parts.get(0), Integer.parseInt(parts.get(1)), Integer.parseInt(parts.get(2)),
                    Set.of(parts.get(3).split(",", -1)));
        }

        /** Empty if the line has the format of a newer version, or is malformed. */
        static Stream<Line> parseRegistered(String text) {
            try {
                return Stream.of(parse(text));
            } catch (RuntimeException unknown) {
                return Stream.of();
            }
        }
    }

    private DeclaredAttributes(Set<String> declared, Map<String, Ranked> ranked, Map<String, Retention> retentions) {
        this.declared = Set.copyOf(declared);
        this.ranked = Map.copyOf(ranked);
        this.retentions = Map.copyOf(retentions);
    }

    public static DeclaredAttributes of(Datasets datasets) {
        return new DeclaredAttributes(datasets.all().stream().map(Dataset::name).collect(Collectors.toSet()),
                datasets.all().stream().filter(dataset -> !dataset.ranks().isEmpty())
                        .collect(Collectors.toMap(Dataset::name, dataset -> new Ranked(dataset.label().size(),
                                dataset.ranks().stream().map(rank -> Line.parse(rank.text())).toList()))),
                datasets.all().stream().filter(dataset -> !dataset.retention().equals(Retention.FOREVER))
                        .collect(Collectors.toMap(Dataset::name, Dataset::retention)));
    }

    DeclaredAttributes withoutRanks() {
        return new DeclaredAttributes(declared, Map.of(), retentions);
    }

    /**
     * A copy with the leaderboards of datasets that only other writers of the table declare: this writer applies their claims
     * if it recovers their lanes.
     *
     * @param registry the item in which writers register datasets; empty if there is none
     */
    DeclaredAttributes withRegistered(Map<String, AttributeValue> registry) {
        Map<String, List<Line>> registered = new HashMap<>();
        registry.forEach((attribute, value) -> TableSchema.datasetOfRanks(attribute)
                .filter(dataset -> !declared.contains(dataset) && value.s() != null)
                .ifPresent(dataset -> Rank.parseLines(value.s()).stream().flatMap(Line::parseRegistered)
                        .forEach(line -> registered.computeIfAbsent(dataset, name -> new ArrayList<>()).add(line))));
        Map<String, Ranked> all = new HashMap<>(ranked);
        registered.forEach((dataset, lines) -> all.put(dataset, new Ranked(null, lines)));
        return new DeclaredAttributes(declared, all, retentions);
    }

    /** The leaderboard attributes of an item; empty if it is in no leaderboard, or is not a bucket. */
    public Map<String, String> ranks(String partitionKey, String sortKey) {
        Ranked dataset = ranked.isEmpty() ? null : ranked.get(SeriesKey.dataset(partitionKey));
        if (dataset == null) {
            return Map.of();
        }
        BucketKey bucket;
        try {
            bucket = BucketKey.ofTableKeys(partitionKey, sortKey);
        } catch (RuntimeException otherItem) {
            return Map.of();
        }
        int labelSize = bucket.series().label().values().size();
        if (dataset.labelSize() != null && labelSize != dataset.labelSize()) {
            return Map.of();
        }
        Map<String, String> attributes = new LinkedHashMap<>();
        for (Line rank : dataset.lines()) {
            if (rank.within() <= labelSize && rank.granularities().contains(bucket.granularity().name())) {
                attributes.put(TableSchema.rankAttribute(rank.by()), RankKey.of(bucket, rank.within(), rank.width()));
            }
        }
        return attributes;
    }

    /** The expiry of a bucket's item in seconds since the epoch; empty if it is kept forever, or is not a bucket. */
    public OptionalLong expiry(String partitionKey, String sortKey) {
        Retention retention = retentions.isEmpty() ? null : retentions.get(SeriesKey.dataset(partitionKey));
        int end = sortKey.indexOf(KeyCodec.SEPARATOR);
        if (retention == null || end < 0) {
            return OptionalLong.empty();
        }
        OptionalLong start = BucketKey.startSeconds(sortKey);
        try {
            @Nullable
            Instant deletion = start.isEmpty() ? null
                    : Granularity.parse(sortKey.substring(0, end))
                            .map(granularity -> retention.deletion(granularity, Instant.ofEpochSecond(start.getAsLong())))
                            .orElse(null);
            return deletion == null ? OptionalLong.empty() : OptionalLong.of(deletion.getEpochSecond());
        } catch (DateTimeException | ArithmeticException afterAllTime) {
            // An update that cannot be built would stop each writer that recovers its record.
            return OptionalLong.empty();
        }
    }
}
