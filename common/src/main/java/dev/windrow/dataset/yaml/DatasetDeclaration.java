package dev.windrow.dataset.yaml;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Dedupe;
import dev.windrow.dataset.EventTimeBounds;
import dev.windrow.measure.Measure;
import dev.windrow.reason.InvalidInputException;
import dev.windrow.scatter.Scatter;
import dev.windrow.scatter.ScatterStrategy;
import dev.windrow.time.EventTimes;
import dev.windrow.time.Granularity;

/** Reads one dataset declaration. */
final class DatasetDeclaration {

    private static final String NAME_EXPECTED = "a name of 1 to 63 lower-case letters, digits, '-' or '_', "
            + "beginning with a letter";
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_-]{0,62}");
    /** At most some 2,700 years, so that no sum overflows. */
    private static final Pattern SHORT_DURATION = Pattern.compile("([0-9]{1,6})([smhd])");
    static final String WHOLE_SECOND_EXPECTED = "an RFC 3339 time with a zone and without fractions of a second, "
            + "such as 2026-01-01T00:00:00Z";
    private static final int MAX_LABEL_PARTS = 8;

    private final String name;
    private final YamlField yaml;

    private DatasetDeclaration(String name, YamlField yaml) {
        this.name = name;
        this.yaml = yaml;
    }

    /** The declared dataset, or empty if a problem was noted. */
    static Optional<Dataset> read(String name, YamlField yaml) {
        return new DatasetDeclaration(name, yaml).read();
    }

    private Optional<Dataset> read() {
        requireName(yaml, name);
        yaml.requireKnownFields("event-type", "label", "partition", "granularities", "index", "key-shards", "measures",
                "scatter", "scatter-strategy", "dedupe", "accept", "complete-since", "rank");
        Optional<String> eventType = yaml.field("event-type").parsed(DatasetDeclaration::shortText, "an event type");
        List<String> label = label();
        int partition = partition(label.size());
        List<Granularity> granularities = granularities("granularities", true);
        List<Granularity> index = index(granularities);
        List<Measure> measures = MeasureDeclaration.read(yaml.field("measures"));
        ScatterStrategy strategy = choice("scatter-strategy", ScatterStrategy.values(), ScatterStrategy::word,
                ScatterStrategy.HASH);
        Optional<Scatter> scatter = ScatterDeclaration.read(strategy, yaml.field("scatter"));
        int keyShards = yaml.field("key-shards").integer(1, Dataset.MAX_KEY_SHARDS, 1);
        Dedupe dedupe = choice("dedupe", Dedupe.values(), Dedupe::word, Dedupe.MESSAGE);
        EventTimeBounds accept = acceptance(yaml.field("accept"));
        Optional<Instant> completeSince = yaml.field("complete-since").isAbsent()
                ? Optional.empty()
                : yaml.field("complete-since").parsed(DatasetDeclaration::wholeSecond, WHOLE_SECOND_EXPECTED);
        boolean whole = eventType.isPresent() && scatter.isPresent() && !granularities.isEmpty();
        if (!whole) {
            return Optional.empty();
        }
        Dataset dataset = new Dataset(name, eventType.get(), label, partition, granularities, index, keyShards, measures,
                scatter.get(), dedupe, accept, completeSince.orElse(null), List.of());
        return Optional.of(dataset.withRanks(RankDeclaration.read(dataset, yaml.field("rank"))));
    }

    static void requireName(YamlField field, String name) {
        if (!NAME.matcher(name).matches()) {
            field.problem("expected " + NAME_EXPECTED);
        }
    }

    private List<String> label() {
        List<String> label = new ArrayList<>();
        for (YamlField element : yaml.field("label").presentElements()) {
            element.parsed(DatasetDeclaration::shortText, "the name of an event attribute").ifPresent(attribute -> {
                if (label.contains(attribute)) {
                    element.problem("expected each attribute once, found '" + attribute + "' again");
                }
                label.add(attribute);
            });
        }
        if (label.size() > MAX_LABEL_PARTS) {
            yaml.field("label").problem("expected at most " + MAX_LABEL_PARTS + " attributes, found " + label.size());
        }
        return label;
    }

    private int partition(int attributes) {
        YamlField partition = yaml.field("partition");
        if (attributes < 2 && !partition.isAbsent()) {
            partition.problem("expected only with a label of at least two attributes");
            return attributes;
        }
        return partition.integer(1, attributes - 1, attributes);
    }

    private List<Granularity> granularities(String field, boolean required) {
        YamlField list = yaml.field(field);
        Set<Granularity> seen = new HashSet<>();
        List<Granularity> granularities = new ArrayList<>();
        for (YamlField element : required ? list.requiredElements() : list.elements()) {
            element.parsed(Granularity::parse, Granularity.EXPECTED).ifPresent(granularity -> {
                if (!seen.add(granularity)) {
                    element.problem("expected each granularity once, found " + granularity + " again");
                }
                granularities.add(granularity);
            });
        }
        return granularities;
    }

    private List<Granularity> index(List<Granularity> granularities) {
        List<Granularity> index = granularities("index", false);
        for (Granularity granularity : index) {
            if (!granularities.contains(granularity)) {
                yaml.field("index").problem("expected only granularities of the dataset, found " + granularity);
            }
        }
        return index;
    }

    private <T> T choice(String field, T[] values, Function<T, String> word, T absent) {
        YamlField choice = yaml.field(field);
        if (choice.isAbsent()) {
            return absent;
        }
        String words = Arrays.stream(values).map(word).collect(Collectors.joining(" or "));
        return choice.parsed(text -> Arrays.stream(values).filter(value -> word.apply(value).equals(text)).findFirst(),
                words).orElse(absent);
    }

    private static EventTimeBounds acceptance(YamlField field) {
        field.requireKnownFields("past", "future");
        EventTimeBounds acceptance = new EventTimeBounds(limit(field.field("past")), limit(field.field("future")));
        return acceptance.equals(EventTimeBounds.ANY) ? EventTimeBounds.ANY : acceptance;
    }

    private static @Nullable Duration limit(YamlField field) {
        return field.isAbsent() ? null
                : field.parsed(DatasetDeclaration::duration, "a duration such as 30d, 12h, 90m, 15s or PT1H30M").orElse(null);
    }

    private static Optional<Duration> duration(String text) {
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
}
