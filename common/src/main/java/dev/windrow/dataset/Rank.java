package dev.windrow.dataset;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import dev.windrow.base.KeyCodec;
import dev.windrow.time.Granularity;

/**
 * A declared leaderboard: the labels of each bucket ordered by a measure's value, kept in an index of its own.
 *
 * @param within the label's first attributes; labels with the same values of these are ranked together; all labels if empty
 * @param width the number of index partition keys that the labels of one leaderboard are spread over, 1 to {@link #MAX_WIDTH}
 * @param granularities the granularities of the ranked buckets, finest first; all of them are indexed
 */
public record Rank(String by, List<String> within, int width, List<Granularity> granularities) {

    /** Maximum width: 100,000 write units a second for one leaderboard, and 100 reads for each of its queries. */
    static final int MAX_WIDTH = 100;

    /** Maximum number of ranked measures in a table, which has at most 20 indexes (DynamoDB developer guide, "Quotas"). */
    static final int MAX_RANKED_MEASURES = 19;

    public Rank {
        within = List.copyOf(within);
        granularities = granularities.stream().sorted().toList();
    }

    /** One line of text, equal for ranks with the same index entries. */
    public String text() {
        return KeyCodec.encode(List.of(by, Integer.toString(within.size()), Integer.toString(width),
                granularities.stream().map(Granularity::name).collect(Collectors.joining(","))));
    }

    /** The lines of several ranks, as the table stores the ranks that cover all items of a dataset. */
    public static String lines(List<Rank> ranks) {
        return ranks.stream().map(Rank::text).sorted().collect(Collectors.joining("\n"));
    }

    /** Parses the output of {@link #lines}. */
    public static Set<String> parseLines(String lines) {
        return lines.lines().collect(Collectors.toCollection(LinkedHashSet::new));
    }
}
