package dev.windrow.gather.model;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * A query and the model's answer.
 *
 * @param kind the shape of the answer
 * @param refusal the reason that the service must refuse it for; null if it must answer
 * @param expected the rows of all pages, as a function of when the answer was started
 * @param isRanked whether it must be answered from a leaderboard; null if that is not known
 */
record GeneratedQuery(Query query, ModelDataset dataset, Kind kind, @Nullable String refusal,
        Function<Instant, List<String>> expected, @Nullable Boolean isRanked) {

    /** The maximum numbers of items of a page of buckets and of a top list. */
    private static final int MAX_LIMIT = 10_000;
    private static final int MAX_TOP = 1_000;

    GeneratedQuery(Query query, ModelDataset dataset, Kind kind, @Nullable String refusal,
            Function<Instant, List<String>> expected) {
        this(query, dataset, kind, refusal, expected, null);
    }

    enum Kind {
        PAGES,
        TOP_PAGES,
        /** A list in one page whose items have a label. */
        LABELLED,
        /** A list in one page whose items cover all labels. */
        UNLABELLED,
        TOTALS,
        COMPARISON,
        POSITION
    }

    static GeneratedQuery refused(Query query, ModelDataset dataset, String reason) {
        return new GeneratedQuery(query, dataset, Kind.TOTALS, reason, now -> List.of());
    }

    static GeneratedQuery top(Query query, ModelDataset dataset, @Nullable Boolean isRanked,
            Function<Instant, List<String>> expected) {
        return new GeneratedQuery(query, dataset, Kind.TOP_PAGES, null, expected, isRanked);
    }

    boolean hasPages() {
        return kind == Kind.PAGES || kind == Kind.TOP_PAGES;
    }

    Query inPagesOf(int items) {
        return query.with(kind == Kind.PAGES ? "limit" : "n", Integer.toString(items));
    }

    GeneratedQuery inOnePage() {
        int most = kind == Kind.PAGES ? MAX_LIMIT : MAX_TOP;
        GeneratedQuery first = firstOf(most);
        return hasPages()
                ? new GeneratedQuery(inPagesOf(most), dataset, kind, refusal, first.expected, isRanked)
                : this;
    }

    /** The same, but only the first rows of the answer are expected. */
    GeneratedQuery firstOf(int rows) {
        return new GeneratedQuery(query, dataset, kind, refusal, asked -> {
            List<String> all = expected.apply(asked);
            return all.subList(0, Math.min(rows, all.size()));
        }, isRanked);
    }

    boolean isList() {
        return hasPages() || kind == Kind.LABELLED || kind == Kind.UNLABELLED;
    }

    int labelColumns() {
        return kind == Kind.UNLABELLED ? 0 : dataset.label().size();
    }

    /** Whether its CSV is checked: not for groups and changes, which have other columns. */
    boolean isCheckedAsCsv() {
        return !isRelative() && !dataset.label().isEmpty() && !query.members().containsKey("group")
                && !query.members().containsKey("groupBy")
                && !(query.path().endsWith("/series") && query.members().containsKey("where"))
                && !query.members().containsKey("against") && !query.members().containsKey("againstFrom");
    }

    /** Number of these columns that have values; for several labels together, the others are empty. */
    int labelValues() {
        // With conditions, the answer may show more values than the query's label has.
        return query.path().endsWith("/series") ? query.members().getOrDefault("label", List.of()).size() : labelColumns();
    }

    /** Whether it has a time relative to now, so that only an answer that shows its start can be checked. */
    boolean isRelative() {
        return query.parameters().stream().anyMatch(value -> value.startsWith("-P")) || query.members().containsKey("last");
    }

    Optional<String> reason() {
        return Optional.ofNullable(refusal);
    }
}
