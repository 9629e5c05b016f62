package dev.windrow.gather.model;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

import org.jspecify.annotations.Nullable;

/** Draws questions, and has the model answer them. */
final class QueryGenerator {

    private static final List<ZoneId> ZONES = List.of(ZoneOffset.UTC, ZoneId.of("Europe/Berlin"),
            ZoneId.of("America/New_York"), ZoneId.of("Asia/Kolkata"), ZoneId.of("Australia/Lord_Howe"),
            ZoneId.of("Pacific/Auckland"));

    /** How many of a hundred questions go to a dataset; reading a thousand shards takes a hundred times longer than ten. */
    private static final List<String> DATASETS = List.of("edges", "edges", "narrow", "narrow", "narrow", "narrow", "narrow",
            "ten", "ten",
            "ten", "ten", "changing", "changing", "changing", "changing", "strewn", "strewn", "strewn", "narrow", "ten",
            "changing", "hundred", "grown", "nested", "nested", "nested", "nested");

    private final RandomGenerator random;
    private final Instant now;
    private final ModelDataset dataset;
    private final String tenant;
    private final ReferenceModel model;

    /**
     * @param random the chance
     * @param now about when it will be sent
     */
    QueryGenerator(RandomGenerator random, Instant now) {
        this.random = random;
        this.now = now;
        String rare = random.nextInt(3) == 0 ? "thousand" : "heavy";
        this.dataset = World.dataset(random.nextInt(60) == 0 ? rare : oneOf(DATASETS));
        this.tenant = random.nextInt(6) == 0 && !dataset.name().equals("edges") ? "other-tenant" : "default";
        this.model = new ReferenceModel(dataset, tenant);
    }

    GeneratedQuery draw() {
        if (dataset.name().equals("edges")) {
            return drawAtTheEdges();
        }
        return switch (random.nextInt(dataset.name().equals("heavy") ? 5 : 12)) {
            case 0, 1, 2, 3 -> buckets();
            case 4 -> top();
            case 5, 6, 7, 8 -> new SeriesQueryGenerator(random, dataset, tenant).draw(range(dataset), seriesOf());
            case 9 -> totals();
            case 10 -> random.nextBoolean() ? busiest() : profile();
            default -> compare();
        };
    }

    private GeneratedQuery drawAtTheEdges() {
        return switch (random.nextInt(5)) {
            case 0 -> buckets();
            case 1 -> top();
            case 2 -> totals();
            case 3 -> busiest();
            default -> compare();
        };
    }

    private GeneratedQuery buckets() {
        LabelFilter filter = filter();
        String granularity = oneOf(dataset.stored(filter));
        boolean descending = random.nextBoolean();
        GeneratedRange range = range(dataset);
        Query query = query("buckets", range, filter).with("granularity", granularity, "order", descending ? "desc" : "asc");
        return new GeneratedQuery(query, dataset, GeneratedQuery.Kind.PAGES, null,
                asked -> model.buckets(granularity, range.range().apply(asked), descending, filter));
    }

    private GeneratedQuery top() {
        String order = oneOf(List.of("desc", "desc", "asc", "magnitude"));
        ModelTop top = new SeriesQueryGenerator(random, dataset, tenant).top(order);
        LabelFilter filter = filter();
        String[] parameters = top.parameters(dataset.label()).toArray(String[]::new);
        if (random.nextInt(3) == 0) {
            return movers(top, filter, parameters);
        }
        GeneratedRange range = range(dataset);
        Query query = query("top", range, filter).with(parameters).with("order", order);
        boolean consistent = random.nextInt(4) == 0;
        query = consistent ? query.with("consistent", "true") : query;
        String finest = dataset.stored(filter).get(0);
        if ((finest.equals("forever") && !range.isAll()) || (consistent && !dataset.isInTable(filter))) {
            return GeneratedQuery.refused(query, dataset, "invalid-parameter");
        }
        return new GeneratedQuery(query, dataset, GeneratedQuery.Kind.LABELLED, null, asked -> {
            List<ModelEvent> events = model.inRange(finest, range.range().apply(asked), filter);
            return top.groups(events).stream()
                    .map(group -> RowText.of(List.of(group), dataset.measures(), model.present(of(events, top, group))))
                    .toList();
        });
    }

    private GeneratedQuery movers(ModelTop top, LabelFilter filter, String[] parameters) {
        Instant from = dataset.name().equals("edges")
                ? Instant.ofEpochSecond(random.nextLong(20 * 86_400))
                : GeneratedDatasets.FROM.plusSeconds(random.nextLong(20 * 86_400));
        Instant to = from.plusSeconds(random.nextLong(8 * 86_400));
        ModelRange against = new ModelRange(from.minus(Duration.ofDays(7)), to.minus(Duration.ofDays(7)));
        Query query = query("top", GeneratedRange.fixed(from, to, random), filter).with(parameters)
                .with("order", top.order(), "against", "week");
        String finest = dataset.stored(filter).get(0);
        if (finest.equals("forever")) {
            return GeneratedQuery.refused(query, dataset, "invalid-parameter");
        }
        List<ModelEvent> now = model.inRange(finest, new ModelRange(from, to), filter);
        List<ModelEvent> then = model.inRange(finest, against, filter);
        List<String> expected = top.movers(now, then).stream().map(group -> {
            Map<String, @Nullable BigDecimal> after = model.total(of(now, top, group));
            Map<String, @Nullable BigDecimal> before = model.total(of(then, top, group));
            return RowText.of(List.of(group), dataset.measures(), after) + " against "
                    + RowText.of(List.of(), dataset.measures(), before) + " change "
                    + ModelComparison.changes(dataset, after, before);
        }).toList();
        return new GeneratedQuery(query, dataset, GeneratedQuery.Kind.LABELLED, null, asked -> expected);
    }

    private static List<ModelEvent> of(List<ModelEvent> events, ModelTop top, List<String> group) {
        return events.stream().filter(event -> top.isOf(group, event.label())).toList();
    }

    private GeneratedQuery busiest() {
        LabelFilter filter = filter();
        String granularity = oneOf(dataset.stored(filter));
        String by = oneOf(dataset.measures()).name();
        int n = random.nextInt(1, 12);
        GeneratedRange range = range(dataset);
        Query query = query("busiest", range, filter).with("by", by, "n", Integer.toString(n), "granularity", granularity);
        return new GeneratedQuery(query, dataset, GeneratedQuery.Kind.UNLABELLED, null,
                asked -> model.busiest(granularity, by, n, range.range().apply(asked), filter));
    }

    private GeneratedQuery profile() {
        String profile = oneOf(List.of("hour-of-day", "day-of-week", "hour-of-week"));
        boolean hours = profile.startsWith("hour-");
        LabelFilter filter = filter();
        String granularity = oneOf(dataset.stored(filter));
        ZoneId zone = oneOf(ZONES);
        GeneratedRange range = range(dataset);
        Query query = query("busiest", range, filter).with("by", oneOf(dataset.measures()).name(), "granularity", granularity,
                "tz", zone.getId(), "profile", profile);
        long cut = hours ? 3_600 : 86_400;
        boolean possible = ModelCalendar.nests(granularity, hours ? "hour" : "day") && ModelCalendar.fitsInZone(granularity,
                zone, cut, range.range().apply(now).from(), range.range().apply(now).to());
        return possible
                ? new GeneratedQuery(query, dataset, GeneratedQuery.Kind.UNLABELLED, null,
                        asked -> model.profile(profile, zone, granularity, range.range().apply(asked), filter))
                : GeneratedQuery.refused(query, dataset, "invalid-parameter");
    }

    private GeneratedQuery totals() {
        LabelFilter filter = random.nextBoolean() ? new LabelFilter(label(), null) : filter();
        GeneratedRange range = range(dataset);
        boolean consistent = random.nextBoolean();
        Query query = query("totals", range, filter).with("consistent", Boolean.toString(consistent));
        if (consistent && !dataset.isInTable(filter)) {
            return GeneratedQuery.refused(query, dataset, "invalid-parameter");
        }
        if (dataset.stored(filter).get(0).equals("forever") && !range.isAll()) {
            return GeneratedQuery.refused(query, dataset, "invalid-parameter");
        }
        return new GeneratedQuery(query, dataset, GeneratedQuery.Kind.TOTALS, null,
                asked -> List.of(model.totals(filter, range.range().apply(asked))));
    }

    private GeneratedQuery compare() {
        LabelFilter filter = random.nextBoolean() ? new LabelFilter(label(), null) : filter();
        String finest = dataset.stored(filter).get(0);
        Instant from = dataset.name().equals("edges")
                ? Instant.ofEpochSecond(random.nextLong(20 * 86_400))
                : GeneratedDatasets.FROM.plusSeconds(random.nextLong(20 * 86_400));
        Instant to = from.plusSeconds(random.nextLong(8 * 86_400));
        GeneratedRange range = GeneratedRange.fixed(from, to, random);
        Query query = query("compare", range, filter);
        ModelRange against;
        switch (random.nextInt(4)) {
            case 0 -> against = new ModelRange(from.minus(Duration.between(from, to)), from);
            case 1 -> {
                query = query.with("against", "week");
                against = new ModelRange(from.minus(Duration.ofDays(7)), to.minus(Duration.ofDays(7)));
            }
            case 2 -> {
                query = query.with("against", "year");
                against = new ModelRange(from.atOffset(ZoneOffset.UTC).minusYears(1).toInstant(),
                        to.atOffset(ZoneOffset.UTC).minusYears(1).toInstant());
            }
            default -> {
                Instant earlier = from.minusSeconds(random.nextLong(86_400));
                against = new ModelRange(earlier.isBefore(Instant.EPOCH) ? Instant.EPOCH : earlier, to);
                query = query.with("againstFrom", against.from().toString(), "againstTo", to.toString());
            }
        }
        if (finest.equals("forever")) {
            return GeneratedQuery.refused(query, dataset, "invalid-parameter");
        }
        List<String> expected = ModelComparison.rows(dataset, model, finest, new ModelRange(from, to), against, filter);
        return new GeneratedQuery(query, dataset, GeneratedQuery.Kind.COMPARISON, null, asked -> expected);
    }

    /** One label, or many together. */
    private Optional<LabelFilter> seriesOf() {
        return random.nextBoolean() ? Optional.empty() : Optional.of(filter());
    }

    private GeneratedRange range(ModelDataset of) {
        return GeneratedRange.of(of, now, random);
    }

    private Query query(String operation, GeneratedRange range, LabelFilter filter) {
        List<String> parameters = new ArrayList<>(range.parameters());
        parameters.addAll(filter.parameters());
        parameters.addAll(List.of("tenant", tenant, "timeout", "30s"));
        return new Query(dataset.name() + "/" + operation, List.copyOf(parameters));
    }

    private LabelFilter filter() {
        List<String> label = label();
        int size = dataset.label().size();
        int values = random.nextInt(size);
        String next = label.get(values);
        return switch (random.nextInt(dataset.partition() < size ? 3 : 6)) {
            case 0 -> new LabelFilter(label.subList(0, values + 1), null);
            case 1 -> new LabelFilter(label.subList(0, values),
                    next.substring(0, next.offsetByCodePoints(0, random.nextInt(next.codePointCount(0, next.length()) + 1))));
            default -> LabelFilter.NONE;
        };
    }

    /** One that there is, mostly. */
    private List<String> label() {
        List<ModelEvent> events = dataset.of(tenant);
        return events.isEmpty() || random.nextInt(20) == 0
                ? dataset.label().stream().map(part -> "nobody").toList()
                : oneOf(events).label();
    }

    private <T> T oneOf(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }
}
