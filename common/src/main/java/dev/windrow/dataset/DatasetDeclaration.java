package dev.windrow.dataset;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.Decimals;
import dev.windrow.base.Durations;
import dev.windrow.base.InvalidInputException;
import dev.windrow.event.Condition;
import dev.windrow.scatter.Scatter;
import dev.windrow.scatter.ScatterStrategy;
import dev.windrow.scatter.WidthEpoch;
import dev.windrow.time.EventTimes;
import dev.windrow.time.Granularity;
import dev.windrow.time.Retention;

record DatasetDeclaration(String name, YamlField yaml) {

    private static final String NAME_EXPECTED = "a name of 1 to 63 lower-case letters, digits, '-' or '_', "
            + "beginning with a letter";
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_-]{0,62}");
    /** At most about 2,700 years, so that no sum overflows. */
    private static final Pattern SHORT_DURATION = Pattern.compile("([0-9]{1,6})([smhd])");
    private static final String WHOLE_SECOND_EXPECTED = "an RFC 3339 time with a zone and without fractions of a second, "
            + "such as 2026-01-01T00:00:00Z";
    private static final String DURATION_EXPECTED = "a duration such as 30d, 12h, 90m, 15s or PT1H30M";
    /** A comparison, or a prefix with a wildcard, as other languages write them. */
    private static final Pattern OPERATOR = Pattern
            .compile("([<>]=?(?=\\s*-?[0-9.])|!=|!~|!|==|=~)\\s*(.*)|([^*]+)\\*");
    private static final int MAX_LABEL_PARTS = 8;
    private static final int DEFAULT_WIDTH = 10;
    private static final int MAX_TITLE = 100;
    private static final int MAX_DESCRIPTION = 1_000;
    private static final Pattern UNIT = Pattern.compile("bytes|seconds|percent|[A-Z]{3}");

    /** The declared dataset, or empty if a problem was noted. */
    Optional<Dataset> read() {
        requireName(yaml, name);
        yaml.requireKnownFields("event-type", "label", "partition", "granularities", "index", "key-shards", "measures",
                "scatter", "scatter-strategy", "dedupe", "accept", "complete-since", "rank", "where", "title", "description",
                "retention");
        Optional<String> eventType = yaml.field("event-type").parsed(DatasetDeclaration::shortText, "an event type");
        List<String> label = label();
        int partition = partition(label.size());
        List<Granularity> granularities = granularities(yaml.field("granularities").requiredElements());
        List<Granularity> index = index(granularities);
        MeasureDeclaration.Declared measures = MeasureDeclaration.read(yaml.field("measures"));
        ScatterStrategy strategy = choice("scatter-strategy", ScatterStrategy.values(), ScatterStrategy::word,
                ScatterStrategy.HASH);
        Optional<Scatter> scatter = scatter(strategy, yaml.field("scatter"));
        int keyShards = yaml.field("key-shards").integer(1, Dataset.MAX_KEY_SHARDS, 1);
        Dedupe dedupe = choice("dedupe", Dedupe.values(), Dedupe::word, Dedupe.MESSAGE);
        EventTimeBounds accept = acceptance(yaml.field("accept"));
        Instant completeSince = yaml.field("complete-since").optional(DatasetDeclaration::wholeSecond, WHOLE_SECOND_EXPECTED);
        SortedMap<String, Condition> where = conditions(yaml.field("where"));
        boolean whole = eventType.isPresent() && scatter.isPresent() && !granularities.isEmpty();
        if (!whole) {
            return Optional.empty();
        }
        Dataset dataset = new Dataset(name, eventType.get(), label, partition, granularities, index, keyShards,
                measures.measures(), measures.columns(), scatter.get(), dedupe, accept, completeSince, List.of(),
                about(yaml), where, retention(granularities, yaml.field("retention")));
        return Optional.of(dataset.withRanks(RankDeclaration.read(dataset, yaml.field("rank"))));
    }

    private static About about(YamlField field) {
        return new About(text(field.field("title"), MAX_TITLE), text(field.field("description"), MAX_DESCRIPTION),
                field.field("unit").optional(text -> Optional.of(text).filter(any -> UNIT.matcher(any).matches()),
                        "bytes, seconds, percent or the code of a currency such as EUR"));
    }

    private static @Nullable String text(YamlField field, int maxLength) {
        return field.optional(text -> Optional.of(text).filter(any -> !any.isBlank() && any.length() <= maxLength),
                "a text of 1 to " + maxLength + " characters");
    }

    static void requireName(YamlField field, String name) {
        if (!NAME.matcher(name).matches()) {
            field.problem("expected " + NAME_EXPECTED);
        }
    }

    private List<String> label() {
        List<String> label = YamlField.distinct(yaml.field("label").presentElements(), DatasetDeclaration::shortText,
                "the name of an event attribute");
        if (label.size() > MAX_LABEL_PARTS) {
            yaml.field("label").problem("expected at most " + MAX_LABEL_PARTS + " attributes, found " + label.size());
        }
        return label;
    }

    private int partition(int attributes) {
        YamlField partition = yaml.field("partition");
        if (attributes < 2 && !partition.isAbsent()) {
            partition.problem("needs a label of at least two attributes");
            return attributes;
        }
        return partition.integer(1, attributes - 1, attributes);
    }

    private static List<Granularity> granularities(List<YamlField> elements) {
        return YamlField.distinct(elements, Granularity::parse, Granularity.EXPECTED);
    }

    private List<Granularity> index(List<Granularity> granularities) {
        List<Granularity> index = granularities(yaml.field("index").elements());
        for (Granularity granularity : index) {
            if (!granularities.contains(granularity)) {
                yaml.field("index").problem(granularity + " is not one of the dataset's granularities");
            }
        }
        return index;
    }

    private <T> T choice(String field, T[] values, Function<T, String> word, T absent) {
        T chosen = yaml.field(field).optional(
                text -> Arrays.stream(values).filter(value -> word.apply(value).equals(text)).findFirst(),
                Arrays.stream(values).map(word).collect(Collectors.joining(" or ")));
        return chosen == null ? absent : chosen;
    }

    private static EventTimeBounds acceptance(YamlField field) {
        field.requireKnownFields("past", "future");
        EventTimeBounds acceptance = new EventTimeBounds(limit(field.field("past")), limit(field.field("future")));
        return acceptance.equals(EventTimeBounds.ANY) ? EventTimeBounds.ANY : acceptance;
    }

    private static @Nullable Duration limit(YamlField field) {
        return field.optional(DatasetDeclaration::duration, DURATION_EXPECTED);
    }

    private static Retention retention(List<Granularity> granularities, YamlField field) {
        SortedMap<Granularity, Duration> kept = new TreeMap<>();
        Map<String, YamlField> entries = field.isAbsent() ? Map.of() : field.requiredEntries();
        List<Granularity> possible = granularities.stream().filter(stored -> !stored.equals(Granularity.FOREVER)).toList();
        entries.forEach((name, span) -> Granularity.parse(name).filter(possible::contains).ifPresentOrElse(
                granularity -> span
                        .parsed(text -> duration(text).filter(time -> time.compareTo(Retention.least(granularity)) >= 0),
                                DURATION_EXPECTED + ", of at least " + Durations.text(Retention.least(granularity)))
                        .ifPresent(duration -> kept.put(granularity, duration)),
                () -> span.problem("must name a granularity of the dataset whose buckets end (" + possible.stream().sorted()
                        .map(Granularity::name).collect(Collectors.joining(", ")) + ")")));
        if (kept.size() == entries.size()) {
            requireLongerForCoarser(possible, kept, field);
        }
        return new Retention(kept);
    }

    /** Requires coarser buckets to be kept as long, so that they can cover any range from the oldest finer buckets on. */
    private static void requireLongerForCoarser(List<Granularity> granularities, SortedMap<Granularity, Duration> kept,
            YamlField field) {
        List<Granularity> finestFirst = granularities.stream().sorted().toList();
        for (int i = 1; i < finestFirst.size(); i++) {
            Granularity finer = finestFirst.get(i - 1);
            Granularity coarser = finestFirst.get(i);
            Duration most = kept.get(coarser);
            if (most != null && (!kept.containsKey(finer) || kept.get(finer).compareTo(most) > 0)) {
                field.field(coarser.name()).problem("must be at least as long as for the finer granularity " + finer
                        + ", which is kept " + (kept.containsKey(finer) ? Durations.text(kept.get(finer)) : "for ever"));
            }
        }
    }

    static Optional<Duration> duration(String text) {
        Matcher simple = SHORT_DURATION.matcher(text);
        try {
            Duration duration = simple.matches()
                    ? Duration.parse((simple.group(2).equals("d") ? "P" : "PT") + text)
                    : Duration.parse(text);
            return Optional.of(duration).filter(value -> !value.isNegative());
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    static Optional<String> shortText(String text) {
        return text.isEmpty() || text.length() > 255 ? Optional.empty() : Optional.of(text);
    }

    static Optional<Instant> wholeSecond(String text) {
        try {
            return Optional.of(EventTimes.parse("from", text)).filter(time -> time.getNano() == 0);
        } catch (InvalidInputException e) {
            return Optional.empty();
        }
    }

    /** Reads the scatter; one epoch with the default width if none is declared; empty if no epoch is valid. */
    private static Optional<Scatter> scatter(ScatterStrategy strategy, YamlField list) {
        if (list.isAbsent()) {
            return Optional.of(new Scatter(strategy, List.of(new WidthEpoch(Instant.EPOCH, DEFAULT_WIDTH))));
        }
        List<WidthEpoch> epochs = new ArrayList<>();
        list.requiredElements().forEach(element -> addEpoch(element, epochs));
        return epochs.isEmpty() ? Optional.empty() : Optional.of(new Scatter(strategy, epochs));
    }

    private static void addEpoch(YamlField field, List<WidthEpoch> epochs) {
        field.requireKnownFields("from", "width");
        YamlField width = field.field("width");
        if (width.isAbsent()) {
            width.problem("expected a whole number from 1 to " + WidthEpoch.WIDEST + ", found nothing");
            return;
        }
        int shards = width.integer(1, WidthEpoch.WIDEST, 1);
        YamlField from = field.field("from");
        // Only the first epoch may omit its start.
        Optional<Instant> start = from.isAbsent() && epochs.isEmpty() ? Optional.of(Instant.EPOCH)
                : from.parsed(DatasetDeclaration::wholeSecond, WHOLE_SECOND_EXPECTED);
        if (start.isPresent() && !epochs.isEmpty() && !epochs.get(epochs.size() - 1).from().isBefore(start.get())) {
            from.problem("must be later than in the epoch before");
        } else {
            start.ifPresent(time -> epochs.add(new WidthEpoch(time, shards)));
        }
    }

    /** Reads the declared conditions by attribute; none if absent. */
    private static SortedMap<String, Condition> conditions(YamlField field) {
        SortedMap<String, Condition> where = new TreeMap<>();
        if (!field.isAbsent()) {
            field.requiredEntries().forEach((attribute, value) -> {
                if (shortText(attribute).isEmpty()) {
                    value.problem("its name must be that of an event attribute");
                }
                condition(value).ifPresent(condition -> where.put(attribute, condition));
            });
        }
        return where;
    }

    /** Reads a declared condition; empty if a problem was noted. */
    static Optional<Condition> condition(YamlField value) {
        if (!value.isObject()) {
            if (!value.isList()) {
                requireNoOperator(value);
            }
            TreeSet<String> labels = new TreeSet<>();
            for (YamlField element : value.isList() ? value.requiredElements() : List.of(value)) {
                element.parsed(Optional::of, "text, a number or a boolean").ifPresent(labels::add);
            }
            return labels.isEmpty() ? Optional.empty() : Optional.of(Condition.oneOf(labels));
        }
        value.requireKnownFields("prefix", "from", "below", "exists");
        YamlField prefix = value.field("prefix");
        YamlField from = value.field("from");
        YamlField below = value.field("below");
        YamlField exists = value.field("exists");
        boolean isRange = !from.isAbsent() || !below.isAbsent();
        if ((prefix.isAbsent() ? 0 : 1) + (exists.isAbsent() ? 0 : 1) + (isRange ? 1 : 0) != 1) {
            value.problem("expected " + Condition.EXPECTED);
            return Optional.empty();
        }
        BigDecimal least = bound(from);
        BigDecimal limit = bound(below);
        if (least != null && limit != null && least.compareTo(limit) >= 0) {
            below.problem("must be greater than from");
        }
        if (prefix.isAbsent()) {
            return Optional.of(new Condition(new TreeSet<>(), null, least, limit, isRange || exists.flag()));
        }
        return prefix.parsed(DatasetDeclaration::shortText, "the beginning of a text")
                .map(text -> new Condition(new TreeSet<>(), text, null, null, true));
    }

    /** Refuses a value that is probably meant as a comparison; as the element of a list it is a value. */
    private static void requireNoOperator(YamlField value) {
        Matcher operator = OPERATOR.matcher(value.text());
        if (!operator.matches()) {
            return;
        }
        String sign = operator.group(1);
        String operand = operator.group(2);
        String remedy;
        if (sign == null) {
            remedy = "write {prefix: \"" + operator.group(3) + "\"} for what begins with it";
        } else if (sign.startsWith(">")) {
            remedy = "write {from: " + operand + "} for numbers from " + operand + " on";
        } else if (sign.startsWith("<")) {
            remedy = "write {below: " + operand + "} for numbers below " + operand;
        } else {
            remedy = "there is no such condition: list the values that count, or write {exists: false} for none";
        }
        value.problem("expected " + Condition.EXPECTED + ", found '" + value.text() + "': " + remedy + ", or [\"" + value.text()
                + "\"] if the value is that text");
    }

    private static @Nullable BigDecimal bound(YamlField field) {
        return field.optional(text -> Optional.ofNullable(Decimals.parse(text)).filter(Decimals::fits), "a number");
    }

    record MeasureDeclaration(String name, YamlField yaml) {

        private static final int MAX_MEASURES = 50;

        /**
         * The declared measures of a dataset.
         *
         * @param measures the stored measures
         * @param columns the measures and the ratios
         */
        record Declared(List<Measure> measures, List<Column> columns) {
        }

        /** Reads all measures of a dataset, except those with problems. */
        static Declared read(YamlField list) {
            Map<String, YamlField> entries = list.requiredEntries();
            List<Measure> measures = new ArrayList<>();
            entries.forEach((name, field) -> {
                DatasetDeclaration.requireName(field, name);
                if (!isRatio(field)) {
                    new MeasureDeclaration(name, field).read().ifPresent(measures::add);
                }
            });
            List<Column> stored = Dataset.columns(measures);
            List<Column> columns = new ArrayList<>();
            entries.forEach((name, field) -> (isRatio(field) ? ratio(name, field, measures)
                    : stored.stream().filter(column -> column.name().equals(name)).findFirst())
                    .ifPresent(column -> columns.add(column.withAbout(about(field)))));
            if (entries.size() > MAX_MEASURES) {
                list.problem("expected at most " + MAX_MEASURES + ", found " + entries.size());
            }
            return new Declared(measures, columns);
        }

        private static boolean isRatio(YamlField field) {
            return field.isObject() && field.field("type").is(Column.RATIO);
        }

        private static Optional<Column> ratio(String name, YamlField field, List<Measure> measures) {
            field.requireKnownFields("type", "of", "to", "title", "description", "unit");
            Optional<Integer> of = operand(field.field("of"), measures);
            Optional<Integer> to = operand(field.field("to"), measures);
            return of.flatMap(dividend -> to.map(divisor -> new Column(name, dividend, divisor)));
        }

        private static Optional<Integer> operand(YamlField field, List<Measure> measures) {
            // First and last are values at two different times, so their quotient would belong to no time.
            Map<String, Integer> possible = new LinkedHashMap<>();
            for (int place = 0; place < measures.size(); place++) {
                if (measures.get(place).kind().parts().size() == 1) {
                    possible.put(measures.get(place).name(), place);
                }
            }
            return field.parsed(name -> Optional.ofNullable(possible.get(name)),
                    "one of the stored measures except first and last (" + String.join(", ", possible.keySet()) + ")");
        }

        private Optional<Measure> read() {
            yaml.requireKnownFields("type", "attribute", "floor", "decimals", "required", "where", "title", "description",
                    "unit");
            return yaml.field("type").parsed(MeasureKind::parse, MeasureKind.EXPECTED + ", " + Column.RATIO)
                    .flatMap(this::measure);
        }

        private Optional<Measure> measure(MeasureKind kind) {
            YamlField floor = yaml.field("floor");
            boolean floored = !floor.isAbsent();
            if (floored && !kind.isAdditive()) {
                floor.problem("applies only to count and sum");
                return Optional.empty();
            }
            if (floored) {
                floor.integer(0, 0, 0);
            }
            YamlField decimals = yaml.field("decimals");
            if (!decimals.isAbsent() && kind != MeasureKind.SUM) {
                decimals.problem("applies only to sum: other kinds keep all digits");
                return Optional.empty();
            }
            int places = decimals.integer(0, Decimals.SUMMAND_DECIMALS, Decimals.SUMMAND_DECIMALS);
            YamlField attribute = yaml.field("attribute");
            SortedMap<String, Condition> where = conditions(yaml.field("where"));
            if (kind.readsAttribute() || !attribute.isAbsent()) {
                boolean required = yaml.field("required").flag();
                return attribute.parsed(DatasetDeclaration::shortText, "the name of an event attribute")
                        .map(source -> new Measure(name, kind, source, floored, places, required, where));
            }
            if (!yaml.field("required").isAbsent()) {
                yaml.field("required").problem("applies only to a measure with an attribute");
                return Optional.empty();
            }
            return Optional.of(new Measure(name, kind, null, floored, places, false, where));
        }
    }

    record RankDeclaration(Dataset dataset, YamlField list) {

        /** @param dataset the rest of the declaration */
        static List<Rank> read(Dataset dataset, YamlField list) {
            return list.isAbsent() ? List.of() : new RankDeclaration(dataset, list).read();
        }

        private List<Rank> read() {
            if (dataset.keyShards() > 1) {
                list.problem("needs key-shards: 1, because a leaderboard needs the whole value in one item");
            }
            if (dataset.index().isEmpty()) {
                list.problem("needs an index, which answers queries until the leaderboard is complete");
            }
            List<Rank> ranks = new ArrayList<>();
            Set<String> measures = new HashSet<>();
            for (YamlField element : list.requiredElements()) {
                rank(element).ifPresent(rank -> {
                    if (!measures.add(rank.by())) {
                        element.field("by").problem("measure '" + rank.by() + "' already has a rank");
                    }
                    ranks.add(rank);
                });
            }
            return ranks;
        }

        private Optional<Rank> rank(YamlField field) {
            field.requireKnownFields("by", "within", "width", "granularities");
            String names = dataset.measures().stream().map(Measure::name).collect(Collectors.joining(", "));
            Optional<Measure> by = field.field("by").parsed(dataset::measure, "one of the measures " + names);
            int width = field.field("width").integer(1, Rank.MAX_WIDTH, 1);
            List<String> within = within(field.field("within"));
            List<Granularity> granularities = granularities(field.field("granularities"));
            return by.map(measure -> new Rank(measure.name(), within, width, granularities));
        }

        private List<String> within(YamlField field) {
            List<String> within = new ArrayList<>();
            field.elements().forEach(element -> element
                    .parsed(DatasetDeclaration::shortText, "the name of an attribute of the label").ifPresent(within::add));
            List<String> label = dataset.label();
            if (within.size() >= label.size() || !label.subList(0, within.size()).equals(within)) {
                field.problem("expected the first attributes of the label (" + String.join(", ", label)
                        + "), in their order and not all of them, found " + within);
                return List.of();
            }
            return within;
        }

        private List<Granularity> granularities(YamlField field) {
            return field.isAbsent() ? dataset.index()
                    : YamlField.distinct(field.requiredElements(), text -> Granularity.parse(text).filter(dataset::isIndexed),
                            "one of the indexed granularities " + dataset.index());
        }
    }
}
