package dev.windrow.gather.model;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * A question and what the model answers.
 *
 * @param query the query
 * @param dataset of which dataset
 * @param kind the shape of the answer
 * @param refusal the reason that the service must refuse it for; null if it must answer
 * @param expected the answer's rows, given when it was begun
 */
record GeneratedQuery(Query query, ModelDataset dataset, Kind kind, @Nullable String refusal,
        Function<Instant, List<String>> expected) {

    enum Kind {
        /** Buckets that come in pages. */
        PAGES,
        /** A list in one page, whose items have a label. */
        LABELLED,
        /** A list in one page, whose items are about all labels. */
        UNLABELLED,
        /** Totals of one range. */
        TOTALS,
        /** Two periods and their changes. */
        COMPARISON
    }

    static GeneratedQuery refused(Query query, ModelDataset dataset, String reason) {
        return new GeneratedQuery(query, dataset, Kind.TOTALS, reason, now -> List.of());
    }

    boolean isList() {
        return kind == Kind.PAGES || kind == Kind.LABELLED || kind == Kind.UNLABELLED;
    }

    /** How many columns of CSV hold the label. */
    int labelColumns() {
        return kind == Kind.UNLABELLED ? 0 : dataset.label().size();
    }

    /** Whether its lines of CSV are checked: those of groups and of changes have columns of their own. */
    boolean isCheckedAsCsv() {
        return !isRelative() && !query.members().containsKey("group") && !query.members().containsKey("groupBy")
                && !query.members().containsKey("against");
    }

    /** How many of these columns have values; many labels together have none in the others. */
    int labelValues() {
        return query.path().endsWith("/series") ? query.members().getOrDefault("label", List.of()).size() : labelColumns();
    }

    /** Whether a time in it counts from now, so that only an answer that says when it was started can be checked. */
    boolean isRelative() {
        return query.parameters().stream().anyMatch(value -> value.startsWith("-P")) || query.members().containsKey("last");
    }

    Optional<String> reason() {
        return Optional.ofNullable(refusal);
    }
}
