package dev.windrow.gather.model;

import static dev.windrow.gather.testing.Draws.any;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/** Draws series queries: zones, fills, cumulative sums, rates. */
final class SeriesQueryGenerator {

    private static final List<ZoneId> ZONES = List.of(ZoneId.of("Europe/Berlin"), ZoneId.of("Europe/London"),
            ZoneId.of("America/New_York"),
            ZoneId.of("Asia/Kolkata"), ZoneId.of("Asia/Kathmandu"), ZoneId.of("Australia/Lord_Howe"),
            ZoneId.of("America/Santiago"), ZoneId.of("Pacific/Apia"), ZoneId.of("America/Moncton"),
            ZoneId.of("America/St_Johns"));

    private static final List<String> GRANULARITIES = List.of("second", "minute", "10-minutes", "30-minutes", "hour",
            "180-minutes", "day", "week", "month", "year", "forever");

    private static final List<String> LOCAL = List.of("day", "week", "month", "year");

    private static final Map<String, Long> RATES = Map.of("second", 1L, "minute", 60L, "hour", 3_600L, "day", 86_400L);

    private static final int MAX_POINTS = 10_000;

    private final RandomGenerator random;
    private final Instant now;
    private final ModelDataset dataset;
    private final String tenant;

    SeriesQueryGenerator(RandomGenerator random, Instant now, ModelDataset dataset, String tenant) {
        this.random = random;
        this.now = now;
        this.dataset = dataset;
        this.tenant = tenant;
    }

    /** @param drawn the labels; if absent, that of an event */
    GeneratedQuery draw(GeneratedRange any, Optional<LabelFilter> drawn) {
        List<ModelEvent> events = dataset.of(tenant);
        ModelEvent event = events.get(random.nextInt(events.size()));
        LabelFilter filter = drawn.orElseGet(() -> new LabelFilter(event.label(), null));
        List<String> stored = dataset.stored(filter);
        boolean descending = random.nextInt(3) == 0;
        int limit = random.nextInt(3) == 0 ? random.nextInt(1, 20) : MAX_POINTS;
        String granularity = any(random.nextBoolean() ? stored : GRANULARITIES, random);
        ZoneId zone = random.nextInt(3) == 0 ? any(ZONES, random) : ZoneOffset.UTC;
        String drawnFill = granularity.equals("forever")
                ? "none"
                : any(List.of("none", "none", "zero", "previous", "linear"), random);
        GeneratedRange range = drawnFill.equals("none") ? any : shortRange(granularity, event.time());
        ModelRange meant = meant(range, drawnFill, granularity, zone, now);
        Optional<ModelGaps> gaps = gaps(stored, granularity, zone, drawnFill, meant);
        boolean forgets = !dataset.retention().isForEver();
        boolean beyondForgets = forgets && !drawnFill.equals("none") && !drawnFill.equals("zero");
        // If only nearer values are found, the model would have to know how near.
        String fill = gaps.filter(beyond -> !beyond.areRefused() && (!beyond.areFilledFromAll() || beyondForgets)).isPresent()
                ? "zero"
                : drawnFill;
        boolean cumulative = fill.equals("zero") && random.nextInt(3) == 0;
        String rate = !cumulative && !granularity.equals("forever") && random.nextInt(5) == 0
                ? any(List.copyOf(RATES.keySet()), random)
                : "";
        Query query = query(filter, granularity, range).with("fill", fill);
        query = descending ? query.with("order", "desc") : query;
        query = limit < MAX_POINTS ? query.with("limit", Integer.toString(limit)) : query;
        query = zone.equals(ZoneOffset.UTC) ? query : query.with("tz", zone.getId());
        query = cumulative ? query.with("cumulative", "true") : query;
        query = rate.isEmpty() ? query : query.with("rate", rate);
        if (stored.stream().noneMatch(fine -> canBeBuilt(fine, granularity, zone, meant))
                || gaps.filter(ModelGaps::areRefused).isPresent()) {
            return GeneratedQuery.refused(query, dataset, "invalid-parameter");
        }
        Function<Instant, ModelCover> cover = asked -> cover(stored, granularity, zone, range, fill, meant, asked);
        String refusal = cover.apply(now).refusal();
        if (refusal != null) {
            return GeneratedQuery.refused(query, dataset, refusal);
        }
        boolean open = meant.from().equals(ModelRange.BEGIN);
        Instant exists = exists(stored, granularity, zone, meant);
        BiFunction<ModelRange, Member, List<String>> rows = (of, member) -> new ModelSeries(member.head(), member.labels(),
                granularity, zone, of, open, fill, cumulative, RATES.getOrDefault(rate, 0L), descending, limit, exists)
                .rows(dataset, tenant);
        // Gaps of a group may be filled from the table, which may have other granularities.
        if (random.nextInt(3) == 0 && (!forgets || fill.equals("none") || fill.equals("zero"))) {
            return grouped(query, cover, filter, zone, granularity, rows);
        }
        return new GeneratedQuery(query, dataset, GeneratedQuery.Kind.LABELLED, null, asked -> rows
                .apply(cover.apply(asked).range(), new Member(List.of(filter.first()), filter::matches)));
    }

    private record Member(List<Object> head, Predicate<List<String>> labels) {
    }

    /** A series for each of the largest groups, and possibly one for the rest. */
    private GeneratedQuery grouped(Query query, Function<Instant, ModelCover> cover, LabelFilter filter, ZoneId zone,
            String granularity, BiFunction<ModelRange, Member, List<String>> rows) {
        ModelTop top = top("desc");
        boolean other = random.nextBoolean();
        Query grouped = query.with("group", "top").with(top.parameters(dataset.label()).toArray(String[]::new));
        return new GeneratedQuery(other ? grouped.with("other", "true") : grouped, dataset, GeneratedQuery.Kind.LABELLED, null,
                asked -> {
                    ModelRange of = cover.apply(asked).range();
                    List<ModelEvent> inside = dataset.of(tenant).stream()
                            .filter(in -> filter.matches(in.label()) && of.holds(in.time(), granularity, zone)).toList();
                    List<List<String>> groups = top.groups(inside);
                    List<String> all = new ArrayList<>();
                    groups.forEach(group -> all.addAll(rows.apply(of,
                            new Member(other ? List.of(group, false) : List.of(group),
                                    label -> filter.matches(label) && top.isOf(group, label)))));
                    if (other) {
                        all.addAll(rows.apply(of, new Member(List.of(filter.first(), true), label -> filter.matches(label)
                                && groups.stream().noneMatch(group -> top.isOf(group, label)))));
                    }
                    return all;
                });
    }

    private static ModelRange meant(GeneratedRange range, String fill, String granularity, ZoneId zone, Instant asked) {
        ModelRange meant = range.range().apply(asked);
        boolean endsNow = !fill.equals("none") && meant.to().equals(ModelCalendar.END);
        return endsNow ? new ModelRange(meant.from(), ModelCalendar.ceiling(granularity, zone, asked)) : meant;
    }

    /** What of the range is summed: by the coarsest buckets that fit the zone, and finer ones at its ends. */
    private ModelCover cover(List<String> stored, String granularity, ZoneId zone, GeneratedRange range, String fill,
            ModelRange meant, Instant asked) {
        String source = stored.stream().filter(fine -> canBeBuilt(fine, granularity, zone, meant))
                .reduce((finer, coarser) -> coarser).orElseThrow();
        List<String> chain = stored.stream().filter(fine -> ModelCalendar.nests(fine, source)).toList();
        ZoneId midnights = isInUtc(granularity, zone) ? ZoneOffset.UTC : zone;
        GeneratedRange closed = new GeneratedRange(range.parameters(), at -> meant(range, fill, granularity, zone, at), zone);
        return ModelCover.of(dataset.retention(), chain, closed, midnights, asked, now);
    }

    /** The first bucket that can be summed up from buckets that are still kept. */
    Instant exists(List<String> stored, String granularity, ZoneId zone, ModelRange meant) {
        String source = stored.stream().filter(fine -> canBeBuilt(fine, granularity, zone, meant))
                .reduce((finer, coarser) -> coarser).orElseThrow();
        return dataset.retention().horizon(source, granularity, zone, now);
    }

    ModelTop top(String order) {
        List<Integer> places = new ArrayList<>(ModelTop.whole(dataset.label().size()));
        if (random.nextBoolean()) {
            for (int i = places.size() - 1; i > 0; i--) {
                Collections.swap(places, i, random.nextInt(i + 1));
            }
        }
        int groupSize = places.isEmpty() ? 0 : random.nextInt(1, places.size() + 1);
        ModelMeasure least = random.nextInt(3) == 0 ? any(dataset.measures(), random) : null;
        return new ModelTop(List.copyOf(places.subList(0, groupSize)), any(dataset.measures(), random), order,
                random.nextInt(1, 12),
                least,
                BigDecimal.valueOf(random.nextInt(-20, 500), random.nextInt(2)));
    }

    /** A range of few buckets around a time, so that filled series stay below the limit. */
    private GeneratedRange shortRange(String granularity, Instant about) {
        long step = ModelCalendar.seconds(granularity);
        long maximum = Math.min(MAX_POINTS / 20, 5L * 365 * 86_400 / step);
        Instant from = about.minusSeconds(random.nextLong(step * Math.max(1, maximum / 2) + 1));
        return GeneratedRange.fixed(from, from.plusSeconds(random.nextLong(step * Math.max(1, maximum) + 1)), random);
    }

    /** Empty if the same stored buckets fit at all times. */
    private static Optional<ModelGaps> gaps(List<String> stored, String granularity, ZoneId zone, String fill,
            ModelRange range) {
        return isInUtc(granularity, zone)
                ? Optional.empty()
                : Optional.of(new ModelGaps(stored, zone, fill,
                        new ModelRange(begin(granularity, zone, range.from()), aligned(granularity, zone, range.to()))));
    }

    private static boolean isInUtc(String granularity, ZoneId zone) {
        return zone.equals(ZoneOffset.UTC) || !LOCAL.contains(granularity);
    }

    static boolean canBeBuilt(String stored, String granularity, ZoneId zone, ModelRange range) {
        return isInUtc(granularity, zone)
                ? ModelCalendar.nests(stored, granularity)
                : ModelCalendar.nests(stored, "day") && ModelCalendar.fitsInZone(stored, zone, 86_400,
                        begin(granularity, zone, range.from()), lastMidnight(aligned(granularity, zone, range.to()), zone));
    }

    /** The time until which the day before a date may come back. */
    private static Instant lastMidnight(Instant bound, ZoneId zone) {
        return bound.atZone(zone).withLaterOffsetAtOverlap().toInstant();
    }

    private static Instant begin(String granularity, ZoneId zone, Instant bound) {
        return bound.equals(ModelRange.BEGIN) ? bound : ModelCalendar.floor(granularity, zone, bound);
    }

    private static Instant aligned(String granularity, ZoneId zone, Instant bound) {
        boolean open = bound.equals(ModelRange.BEGIN) || bound.equals(ModelCalendar.END);
        return open ? bound : ModelCalendar.ceiling(granularity, zone, bound);
    }

    private Query query(LabelFilter filter, String granularity, GeneratedRange range) {
        List<String> parameters = new ArrayList<>(range.parameters());
        parameters.addAll(filter.parameters(dataset.label()));
        parameters.addAll(List.of("granularity", granularity, "tenant", tenant, "timeout", "30s", "consistent",
                Boolean.toString(dataset.isInTable(filter) && random.nextBoolean())));
        return new Query(dataset.name() + "/series", List.copyOf(parameters));
    }

    /**
     * The ranges from which gaps of a zone's series are filled, and whether stored buckets can be summed up there.
     *
     * @param stored the available granularities
     * @param zone the zone of the series, whose buckets begin at local midnight
     * @param fill previous or linear; anything else needs no values beyond the range
     * @param range the range of the series' bucket starts
     */
    private record ModelGaps(List<String> stored, ZoneId zone, String fill, ModelRange range) {

        /** A period with all offsets of a year. */
        private static final int DAYS = 400;

        /** Whether the query is refused because not even the nearest year can be summed up. */
        boolean areRefused() {
            return !fitFrom(range.from().minus(DAYS, ChronoUnit.DAYS)) || !fitTo(range.to().plus(DAYS, ChronoUnit.DAYS));
        }

        /** Whether any value beyond the range is found, however far away. */
        boolean areFilledFromAll() {
            return fitFrom(ModelRange.BEGIN) && fitTo(ModelCalendar.END);
        }

        private boolean fitFrom(Instant from) {
            boolean none = !fill.equals("previous") && !fill.equals("linear");
            return none || range.from().equals(ModelRange.BEGIN) || fit(from, lastMidnight(range.from(), zone));
        }

        private boolean fitTo(Instant to) {
            return !fill.equals("linear") || !range.to().isBefore(ModelCalendar.END) || fit(range.to(), to);
        }

        private boolean fit(Instant from, Instant to) {
            return stored.stream().anyMatch(fine -> ModelCalendar.nests(fine, "day")
                    && ModelCalendar.fitsInZone(fine, zone, 86_400, from, to));
        }
    }
}
