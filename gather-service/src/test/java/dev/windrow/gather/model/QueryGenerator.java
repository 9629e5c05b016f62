package dev.windrow.gather.model;

import static dev.windrow.gather.testing.Draws.any;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

import dev.windrow.gather.model.LabelFilter.FilterGenerator;

final class QueryGenerator {

    private static final List<ZoneId> ZONES = List.of(ZoneOffset.UTC, ZoneId.of("Europe/Berlin"),
            ZoneId.of("America/New_York"), ZoneId.of("Asia/Kolkata"), ZoneId.of("Australia/Lord_Howe"),
            ZoneId.of("Pacific/Auckland"));

    /** Weights the datasets: reading a thousand shards takes a hundred times longer than reading ten. */
    private static final List<String> DATASETS = List.of("edges", "edges", "narrow", "narrow", "narrow", "narrow", "narrow",
            "ten", "ten",
            "ten", "ten", "changing", "changing", "changing", "changing", "strewn", "strewn", "strewn", "narrow", "ten",
            "changing", "hundred", "grown", "nested", "nested", "nested", "nested", "ranked", "ranked", "ranked", "ranked",
            "ranked", "board", "board", "board", World.LATE, World.LATE, World.LATE, World.LATE, "base", "base", "base", "base",
            "base", "base-by-two", "base-by-one", "base-of-all");

    private final RandomGenerator random;
    private final Instant now;
    private final ModelDataset dataset;
    private final String tenant;
    private final ReferenceModel model;
    private final FilterGenerator filters;
    private final TopQueryGenerator tops;

    /**
     * @param now approximate time at which it will be sent
     * @param lateRanks whether leaderboards that were declared late are complete
     * @param world the datasets; if they are not the usual ones, all are equally likely
     */
    QueryGenerator(RandomGenerator random, Instant now, boolean lateRanks, List<ModelDataset> world) {
        this.random = random;
        this.now = now;
        String rare = random.nextInt(3) == 0 ? "thousand" : "heavy";
        ModelDataset drawn = world.equals(World.DATASETS)
                ? World.dataset(random.nextInt(60) == 0 ? rare : any(DATASETS, random))
                : any(world, random);
        this.dataset = drawn.completeSince() == null || !World.hasRollups(drawn) ? drawn
                : world.stream().filter(any -> any.name().equals("base")).findFirst().orElseThrow();
        this.tenant = random.nextInt(6) == 0 && !dataset.of("other-tenant").isEmpty() ? "other-tenant" : "default";
        this.model = new ReferenceModel(dataset, tenant);
        this.filters = new FilterGenerator(random, dataset, tenant);
        this.tops = new TopQueryGenerator(random, now, dataset, tenant, lateRanks || !dataset.name().equals(World.LATE));
    }

    GeneratedQuery draw() {
        if (dataset.name().equals("edges")) {
            return drawAtTheEdges();
        }
        if (!dataset.ranks().isEmpty() && random.nextInt(4) > 0) {
            return random.nextInt(3) == 0 ? tops.position() : tops.top();
        }
        return switch (random.nextInt(dataset.name().equals("heavy") ? 5 : 14)) {
            case 0, 1, 2, 3 -> buckets();
            case 4, 12 -> tops.top();
            case 13 -> tops.position();
            case 5, 6, 7, 8 -> series().draw(range(dataset), seriesOf());
            case 9 -> totals();
            case 10 -> random.nextBoolean() ? busiest() : profile();
            default -> compare();
        };
    }

    private GeneratedQuery drawAtTheEdges() {
        return switch (random.nextInt(6)) {
            case 0 -> buckets();
            case 1 -> tops.top();
            case 5 -> tops.position();
            case 2 -> totals();
            case 3 -> busiest();
            default -> compare();
        };
    }

    private GeneratedQuery buckets() {
        LabelFilter filter = filters.filter();
        String granularity = any(dataset.stored(filter), random);
        boolean descending = random.nextBoolean();
        GeneratedRange range = range(dataset);
        Query query = query("buckets", range, filter).with("granularity", granularity, "order", descending ? "desc" : "asc");
        return new GeneratedQuery(query, dataset, GeneratedQuery.Kind.PAGES, null,
                asked -> model.buckets(granularity, cut(granularity, range, asked), descending, filter));
    }

    /** Busiest buckets, summed up from stored ones. */
    private GeneratedQuery busiest() {
        LabelFilter filter = filters.filter();
        boolean local = !dataset.name().equals("edges") && random.nextInt(3) == 0;
        GeneratedRange range = local ? GeneratedRange.local(dataset, now, random) : range(dataset);
        String granularity = any(local ? List.of("day", "week", "month", "year")
                : random.nextInt(3) == 0 ? List.of("hour", "day", "month", "year") : dataset.stored(filter), random);
        String by = any(dataset.measures(), random).name();
        int n = random.nextInt(1, 12);
        Query query = query("busiest", range, filter).with("by", by, "n", Integer.toString(n), "granularity", granularity);
        ModelRange meant = whole(range, granularity, now);
        if (isTooShort(range, granularity, meant)) {
            return GeneratedQuery.refused(query, dataset, "range-too-short");
        }
        boolean possible = dataset.stored(filter).stream()
                .anyMatch(fine -> SeriesQueryGenerator.canBeBuilt(fine, granularity, range.zone(), meant));
        return possible
                ? new GeneratedQuery(query, dataset, GeneratedQuery.Kind.UNLABELLED, null,
                        asked -> model.busiest(granularity, range.zone(), by, n, whole(range, granularity, asked), filter,
                                series().exists(dataset.stored(filter), granularity, range.zone(), meant)))
                : GeneratedQuery.refused(query, dataset, "invalid-parameter");
    }

    /** The whole local buckets of a range, with the one in progress. */
    private ModelRange whole(GeneratedRange range, String granularity, Instant asked) {
        ModelRange of = range.range().apply(asked);
        ZoneId zone = range.zone();
        Instant from = of.from().equals(ModelRange.BEGIN) ? of.from() : ModelCalendar.ceiling(granularity, zone, of.from());
        Instant to = ModelCover.isNow(of.to(), now)
                ? of.to().equals(ModelCalendar.END) ? of.to() : ModelCalendar.ceiling(granularity, zone, of.to())
                : ModelCalendar.floor(granularity, zone, of.to());
        ModelRange whole = new ModelRange(from, to.isBefore(from) ? from : to);
        return whole.from().equals(of.from()) && whole.to().equals(of.to()) ? of : whole;
    }

    private boolean isTooShort(GeneratedRange range, String granularity, ModelRange whole) {
        ModelRange of = range.range().apply(now);
        Instant start = ModelCalendar.floor(granularity, range.zone(), of.from());
        boolean isShorter = range.isSpan() && Duration.between(of.from(), of.to())
                .compareTo(Duration.between(start, ModelCalendar.next(granularity, range.zone(), start))) < 0;
        boolean forever = granularity.equals("forever") && !range.isAll();
        return forever || (of.from().isBefore(of.to()) && (isShorter || !whole.from().isBefore(whole.to())));
    }

    private GeneratedQuery profile() {
        String profile = any(List.of("hour-of-day", "day-of-week", "hour-of-week"), random);
        boolean hours = profile.startsWith("hour-");
        LabelFilter filter = filters.filter();
        String granularity = any(dataset.stored(filter), random);
        boolean chosen = random.nextBoolean();
        ZoneId zone = any(ZONES, random);
        GeneratedRange range = range(dataset);
        Query all = query("busiest", range, filter).with("by", any(dataset.measures(), random).name(), "tz", zone.getId(),
                "profile", profile);
        Query query = chosen ? all.with("granularity", granularity) : all;
        List<String> nesting = (chosen ? List.of(granularity) : dataset.stored(filter)).stream()
                .filter(any -> ModelCalendar.nests(any, hours ? "hour" : "day")).toList();
        List<String> possible = nesting.stream().filter(any -> ModelCalendar.fitsInZone(any, zone, hours ? 3_600 : 86_400,
                cut(any, range, now).from(), cut(any, range, now).to())).toList();
        if (possible.isEmpty()) {
            return GeneratedQuery.refused(query, dataset,
                    chosen || !nesting.isEmpty() ? "invalid-parameter" : "missing-parameter");
        }
        ModelCover cover = ModelCover.of(dataset.retention(), possible, range, zone, now, now);
        if (cover.refusal() != null) {
            return GeneratedQuery.refused(query, dataset, cover.refusal());
        }
        return new GeneratedQuery(query, dataset, GeneratedQuery.Kind.UNLABELLED, null, asked -> model.profile(profile, zone,
                ModelCover.of(dataset.retention(), possible, range, zone, asked, now).range(), filter));
    }

    private GeneratedQuery totals() {
        LabelFilter filter = random.nextBoolean() ? new LabelFilter(filters.label(), null) : filters.filter();
        GeneratedRange range = maybeLocal();
        boolean consistent = random.nextBoolean() && (dataset.isInTable(filter) || !World.hasRollups(dataset));
        Query query = query("totals", range, filter).with("consistent", Boolean.toString(consistent));
        if (consistent && !dataset.isInTable(filter)) {
            return GeneratedQuery.refused(query, dataset, "invalid-parameter");
        }
        ModelCover cover = ModelCover.of(dataset, filter, range, now, now);
        if (cover.refusal() != null) {
            return GeneratedQuery.refused(query, dataset, cover.refusal());
        }
        return new GeneratedQuery(query, dataset, GeneratedQuery.Kind.TOTALS, null,
                asked -> List.of(model.totals(filter, ModelCover.of(dataset, filter, range, asked, now).range())));
    }

    private GeneratedQuery compare() {
        LabelFilter filter = random.nextBoolean() ? new LabelFilter(filters.label(), null) : filters.filter();
        ComparedRanges ranges = ComparedRanges.of(dataset, random);
        Query query = query("compare", ranges.range(), filter);
        boolean implied = ranges.parameters().contains("previous") && random.nextBoolean();
        query = implied ? query : query.with(ranges.parameters().toArray(String[]::new));
        ComparedRanges.Kept kept = ranges.kept(dataset, filter, now);
        if (kept.refusal() != null) {
            return GeneratedQuery.refused(query, dataset, kept.refusal());
        }
        List<String> expected = ModelComparison.rows(dataset, model, kept, filter);
        return new GeneratedQuery(query, dataset, GeneratedQuery.Kind.COMPARISON, null, asked -> expected);
    }

    private SeriesQueryGenerator series() {
        return new SeriesQueryGenerator(random, now, dataset, tenant);
    }

    private ModelRange cut(String granularity, GeneratedRange range, Instant asked) {
        return dataset.retention().cut(granularity, range.range().apply(asked), now);
    }

    /** One label, or several together. */
    private Optional<LabelFilter> seriesOf() {
        return random.nextBoolean() ? Optional.empty() : Optional.of(filters.filter());
    }

    private GeneratedRange maybeLocal() {
        return !dataset.name().equals("edges") && random.nextInt(3) == 0 ? GeneratedRange.local(dataset, now, random)
                : range(dataset);
    }

    private GeneratedRange range(ModelDataset of) {
        return GeneratedRange.of(of, now, random);
    }

    private Query query(String operation, GeneratedRange range, LabelFilter filter) {
        return Query.of(dataset, operation, range, filter).with("tenant", tenant, "timeout", "30s");
    }
}
