package dev.windrow.gather.model;

import static dev.windrow.gather.testing.Draws.any;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

import org.jspecify.annotations.Nullable;

import dev.windrow.gather.model.LabelFilter.FilterGenerator;

/** Draws queries about the order of labels: top lists by value and by change, and positions in them. */
final class TopQueryGenerator {

    private final RandomGenerator random;
    private final Instant now;
    private final ModelDataset dataset;
    private final String tenant;
    private final boolean ranksAreComplete;
    private final ReferenceModel model;
    private final FilterGenerator filters;

    /** @param ranksAreComplete whether the dataset's leaderboards may be read */
    TopQueryGenerator(RandomGenerator random, Instant now, ModelDataset dataset, String tenant, boolean ranksAreComplete) {
        this.random = random;
        this.now = now;
        this.dataset = dataset;
        this.tenant = tenant;
        this.ranksAreComplete = ranksAreComplete;
        this.model = new ReferenceModel(dataset, tenant);
        this.filters = new FilterGenerator(random, dataset, tenant);
    }

    /** A range and labels, and whether they are those of a leaderboard that is kept. */
    private record Board(ModelMeasure by, GeneratedRange range, int within, boolean kept) {

        @Nullable
        Boolean isRead(boolean complete) {
            return kept ? Boolean.valueOf(complete) : null;
        }
    }

    GeneratedQuery top() {
        if (random.nextInt(4) == 0) {
            return movers();
        }
        return !dataset.ranks().isEmpty() && random.nextInt(6) > 0 ? ofBoard(board()) : ofAny();
    }

    private GeneratedQuery ofAny() {
        String order = any(List.of("desc", "desc", "asc", "magnitude"), random);
        ModelTop top = new SeriesQueryGenerator(random, now, dataset, tenant).top(order).inPages();
        LabelFilter filter = filters.filter();
        GeneratedRange range = maybeLocal();
        Query query = query("top", range, filter).with(top.parameters(dataset.label()).toArray(String[]::new))
                .with("order", order);
        boolean consistent = random.nextInt(4) == 0 && (dataset.isInTable(filter) || !World.hasRollups(dataset));
        query = consistent ? query.with("consistent", "true") : query;
        String refusal = consistent && !dataset.isInTable(filter) ? "invalid-parameter" : refusal(filter, range);
        return refusal != null ? GeneratedQuery.refused(query, dataset, refusal)
                : GeneratedQuery.top(query, dataset, null, asked -> rows(top, inRange(filter, range, asked)));
    }

    private GeneratedQuery ofBoard(Board board) {
        String order = any(List.of("desc", "asc"), random);
        ModelTop top = new ModelTop(ModelTop.whole(dataset.label().size()), board.by(), order, ModelTop.ALL, null,
                BigDecimal.ZERO);
        LabelFilter filter = new LabelFilter(filters.label().subList(0, board.within()), null);
        Query query = query("top", board.range(), filter).with("by", board.by().name(), "order", order, "explain", "true");
        String refusal = refusal(filter, board.range());
        return refusal != null ? GeneratedQuery.refused(query, dataset, refusal)
                : GeneratedQuery.top(query, dataset, board.by().mayBeAbsent() ? null : board.isRead(ranksAreComplete),
                        asked -> rows(top, inRange(filter, board.range(), asked)));
    }

    private List<String> rows(ModelTop top, List<ModelEvent> events) {
        return top.groups(events).stream()
                .map(group -> RowText.of(List.of(group), dataset.measures(), model.known(of(events, top, group)))).toList();
    }

    private GeneratedQuery movers() {
        ModelTop top = new SeriesQueryGenerator(random, now, dataset, tenant)
                .top(any(List.of("desc", "asc", "magnitude"), random));
        LabelFilter filter = filters.filter();
        ComparedRanges ranges = ComparedRanges.of(dataset, random);
        Query query = query("top", ranges.range(), filter)
                .with(top.parameters(dataset.label()).toArray(String[]::new)).with("order", top.order())
                .with(ranges.parameters().toArray(String[]::new));
        ComparedRanges.Kept kept = ranges.kept(dataset, filter, now);
        if (kept.refusal() != null) {
            return GeneratedQuery.refused(query, dataset, kept.refusal());
        }
        List<ModelEvent> after = model.inRange(kept.period(), filter);
        List<ModelEvent> before = model.inRange(kept.against(), filter);
        List<String> expected = !kept.comparable() ? List.of() : top.movers(after, before).stream().map(group -> {
            Map<String, @Nullable BigDecimal> then = model.total(of(before, top, group));
            Map<String, @Nullable BigDecimal> current = model.total(of(after, top, group));
            return RowText.of(List.of(group), dataset.measures(), current) + " against "
                    + RowText.of(List.of(), dataset.measures(), then) + " change "
                    + ModelComparison.changes(dataset, current, then);
        }).toList();
        return new GeneratedQuery(query, dataset, GeneratedQuery.Kind.LABELLED, null, asked -> expected);
    }

    /** The position of a label among those that share its first values. */
    GeneratedQuery position() {
        List<String> label = filters.label();
        Board board = !dataset.ranks().isEmpty() && random.nextInt(6) > 0
                ? board()
                : new Board(any(dataset.measures(), random), maybeLocal(),
                        label.isEmpty() ? 0 : random.nextInt(label.size()), false);
        int within = board.within() > 0 ? board.within() : dataset.rank(board.by()).map(ModelRank::within).orElse(0);
        String order = any(List.of("desc", "asc"), random);
        int around = random.nextInt(9);
        List<String> parameters = new ArrayList<>(List.of("by", board.by().name(), "order", order, "around",
                Integer.toString(around), "explain", "true"));
        boolean implied = within == 0 || (board.kept() && random.nextBoolean());
        dataset.label().subList(0, implied ? 0 : within).forEach(attribute -> parameters.addAll(List.of("within", attribute)));
        Query query = query("position", board.range(), new LabelFilter(label, null)).with(parameters.toArray(String[]::new));
        LabelFilter others = new LabelFilter(label.subList(0, within), null);
        String refusal = refusal(others, board.range());
        if (refusal != null) {
            return GeneratedQuery.refused(query, dataset, refusal);
        }
        ModelPosition position = new ModelPosition(label,
                new ModelTop(ModelTop.whole(label.size()), board.by(), order, ModelTop.ALL, null, BigDecimal.ZERO), around);
        return new GeneratedQuery(query, dataset, GeneratedQuery.Kind.POSITION, null,
                asked -> position.rows(inRange(others, board.range(), asked)),
                board.isRead(ranksAreComplete));
    }

    private @Nullable String refusal(LabelFilter filter, GeneratedRange range) {
        return ModelCover.of(dataset, filter, range, now, now).refusal();
    }

    private List<ModelEvent> inRange(LabelFilter filter, GeneratedRange range, Instant asked) {
        return model.inRange(ModelCover.of(dataset, filter, range, asked, now).range(), filter);
    }

    private GeneratedRange maybeLocal() {
        return !dataset.name().equals("edges") && random.nextInt(3) == 0 ? GeneratedRange.local(dataset, now, random)
                : GeneratedRange.of(dataset, now, random);
    }

    /** One of the dataset's leaderboards. */
    private Board board() {
        ModelRank rank = any(dataset.ranks(), random);
        Instant time = any(dataset.of(tenant), random).time();
        return new Board(dataset.measure(rank.by()), GeneratedRange.bucket(any(rank.granularities(), random), time, random),
                rank.within(), dataset.retention().isForEver());
    }

    private static List<ModelEvent> of(List<ModelEvent> events, ModelTop top, List<String> group) {
        return events.stream().filter(event -> top.isOf(group, event.label())).toList();
    }

    private Query query(String operation, GeneratedRange range, LabelFilter filter) {
        return Query.of(dataset, operation, range, filter).with("tenant", tenant, "timeout", "30s");
    }
}
