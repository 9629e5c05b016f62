package dev.windrow.dataset;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import dev.windrow.base.KeyCodec;

/**
 * A declared leaderboard: the labels of each bucket in the order of a measure's value, kept by an index of their own.
 *
 * @param within the label's first attributes; labels that share their values are ranked together, all labels if there are none
 * @param width over how many partition keys of the index the labels of one leaderboard are spread, 1 to {@link #MAX_WIDTH}
 * @param granularities of the buckets that are ranked, finest first; all of them are indexed
 */
public record Rank(String by, List<String> within, int width, List<Granularity> granularities) {

    /** Maximum width: 100,000 write units a second for one leaderboard, and 100 reads for each query of it. */
    static final int MAX_WIDTH = 100;

    /** Maximum number of ranked measures in a table, which has at most 20 indexes (DynamoDB developer guide, "Quotas"). */
    static final int MAX_RANKED_MEASURES = 19;

    public Rank {
        within = List.copyOf(within);
        granularities = granularities.stream().sorted().toList();
    }

    /** One line, the same for ranks whose index entries are the same. */
    public String text() {
        return KeyCodec.encode(List.of(by, Integer.toString(within.size()), Integer.toString(width),
                granularities.stream().map(Granularity::name).collect(Collectors.joining(","))));
    }

    /** The lines of several ranks, as the table keeps those that all items of a dataset have. */
    public static String lines(List<Rank> ranks) {
        return ranks.stream().map(Rank::text).sorted().collect(Collectors.joining("\n"));
    }

    /** The lines of a text that {@link #lines} wrote. */
    public static Set<String> parseLines(String lines) {
        return lines.lines().collect(Collectors.toCollection(LinkedHashSet::new));
    }
}
