package dev.windrow.gather.request;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.windrow.base.InvalidInputException;
import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.gather.label.LabelSelector;
import dev.windrow.gather.label.WantedValues;
import dev.windrow.gather.parameter.Parameters;
import dev.windrow.gather.parameter.QueryKind;
import dev.windrow.gather.parameter.QueryParameter;
import dev.windrow.gather.plan.DatasetScope;
import dev.windrow.gather.plan.SumQuery;

/**
 * Chooses the dataset that a query about sums reads. A roll-up of the named dataset aggregates the same events in the same
 * measures by fewer attributes: the first ones of the named dataset's label, or none. It holds the same sums in fewer
 * series, so the cheapest dataset to read is the roll-up with the fewest attributes that can answer and is as fresh.
 */
public record RollupChooser(Datasets datasets) {

    /**
     * Makes the query for the cheapest dataset that can answer it.
     *
     * @param named the scope of the dataset that the request names
     * @param queryOf makes the query for a scope, or throws the reason why it cannot be answered
     * @throws InvalidInputException if neither a roll-up nor the named dataset can answer; says what the named one lacks
     */
    public <Q> Q choose(DatasetScope named, Parameters parameters, Function<DatasetScope, Q> queryOf) {
        List<Dataset> rollups = rollups(named.dataset(), attributesUsed(named.dataset(), parameters));
        if (rollups.isEmpty()) {
            return queryOf.apply(named);
        }
        Optional<Q> ofNamed = attempt(() -> queryOf.apply(named));
        if (ofNamed.isEmpty() && needsGranularity(parameters)) {
            return queryOf.apply(named);
        }
        DatasetScope instead = named;
        for (Dataset rollup : rollups) {
            Optional<Q> query = attempt(() -> queryOf.apply(named.readFrom(rollup)))
                    .filter(made -> isCompleteFor(rollup, made)
                            && ofNamed.map(q -> sumsTheSame(q, made)).orElseGet(() -> isWhole(made)));
            if (query.isPresent() && ofNamed.map(q -> isAsFresh(rollup, query.get(), named.dataset(), q)).orElse(true)) {
                return query.get();
            }
            instead = query.isPresent() ? named.fresherThan(rollup) : instead;
        }
        return queryOf.apply(instead);
    }

    /** Returns empty if a dataset cannot answer: a roll-up and the named dataset may have different granularities. */
    private static <Q> Optional<Q> attempt(Supplier<Q> query) {
        try {
            return Optional.of(query.get());
        } catch (InvalidInputException notHere) {
            return Optional.empty();
        }
    }

    /** Whether the request leaves out the granularity, so that the named dataset's granularities decide whether it may. */
    private static boolean needsGranularity(Parameters parameters) {
        return !parameters.has(QueryParameter.GRANULARITY) && !parameters.has(QueryParameter.PROFILE)
                && parameters.operation().parameters().contains(QueryParameter.GRANULARITY);
    }

    private static boolean isCompleteFor(Dataset rollup, Object query) {
        Instant since = rollup.completeSince();
        return query instanceof SumQuery sums && (since == null || !sums.earliestStart().isBefore(since));
    }

    /**
     * Whether the query reads buckets, none of which has expired: required of a roll-up if the named dataset cannot
     * answer. A range too short for the buckets of the named dataset contains none of a coarser roll-up either.
     */
    private static boolean isWhole(Object query) {
        return query instanceof SumQuery sums && sums.options().horizons().expired().isEmpty()
                && sums.plans().stream().anyMatch(plan -> !plan.stages().isEmpty());
    }

    private static boolean sumsTheSame(Object one, Object other) {
        return one instanceof SumQuery a && other instanceof SumQuery b && a.summed().equals(b.summed());
    }

    /**
     * Whether a roll-up is as fresh as the named dataset. A roll-up may have only coarse buckets, which lag. If both lag
     * equally, as far as is known, the roll-up is read only if it can answer about the same ranges: a growing range must
     * not switch between the two, which may lack different events.
     */
    private static boolean isAsFresh(Dataset rollup, Object ofRollup, Dataset named, Object ofNamed) {
        if (!(ofRollup instanceof SumQuery a && ofNamed instanceof SumQuery b) || a.asOf().isEmpty() || b.asOf().isEmpty()
                || a.asOf().get().isAfter(b.asOf().get())) {
            return true;
        }
        boolean lags = a.plans().stream().anyMatch(plan -> a.options().freshness().mayLag(plan));
        return a.asOf().equals(b.asOf()) && (!lags || (rollup.granularities().equals(named.granularities())
                && rollup.index().equals(named.index())));
    }

    /** Returns how many of the label's first attributes the result depends on. */
    private static int attributesUsed(Dataset named, Parameters parameters) {
        int filtered = parameters.texts(QueryParameter.LABEL).size() + (parameters.has(QueryParameter.PREFIX) ? 1 : 0);
        int several = LabelSelector.labels(parameters).stream().mapToInt(List::size).max().orElse(0);
        boolean grouped = parameters.operation() == QueryKind.TOP || parameters.has(QueryParameter.GROUP);
        List<String> groupBy = parameters.texts(QueryParameter.GROUP_BY);
        int groups = grouped && groupBy.isEmpty() ? named.label().size() : used(named, groupBy.stream());
        int where = used(named, WantedValues.conditions(parameters).stream().map(condition -> condition.get(0)));
        return switch (parameters.operation()) {
            case SERIES, TOTALS, TOP, BUSIEST, COMPARE ->
                Math.max(Math.max(filtered, several), Math.max(groups, where));
            // These are about whole labels.
            case BUCKETS, LIVE, POSITION -> named.label().size();
        };
    }

    private static int used(Dataset named, Stream<String> attributes) {
        return attributes.mapToInt(attribute -> 1 + named.label().indexOf(attribute)).max().orElse(0);
    }

    private List<Dataset> rollups(Dataset named, int attributesUsed) {
        return datasets.ofEventType(named.eventType()).stream()
                .filter(other -> other.label().size() >= attributesUsed && isRollup(other, named))
                .sorted(Comparator.comparingInt((Dataset rollup) -> rollup.label().size()).thenComparing(Dataset::name))
                .toList();
    }

    private static boolean isRollup(Dataset rollup, Dataset named) {
        int attributes = rollup.label().size();
        return attributes < named.label().size() && named.label().subList(0, attributes).equals(rollup.label())
                && rollup.measures().equals(named.measures()) && rollup.accept().equals(named.accept())
                && rollup.dedupe() == named.dedupe() && rollup.where().equals(named.where());
    }
}
