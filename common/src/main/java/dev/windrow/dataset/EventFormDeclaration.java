package dev.windrow.dataset;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.Decimals;
import dev.windrow.event.EventForm;
import dev.windrow.event.FormPath;
import dev.windrow.event.FormRequirement;
import dev.windrow.event.FormSource;
import dev.windrow.event.FormTime;
import dev.windrow.time.TimePattern;

record EventFormDeclaration(YamlField yaml) {

    private static final String PATH_EXPECTED = "names of fields joined by dots, such as detail.customer.country";
    private static final String EACH_EXPECTED = "the name of a field of the message, or a list of up to three names that lead "
            + "from array to array";
    private static final String ABSENT_EXPECTED = "a list of values, or non-numeric for all text that is no number";
    private static final String NON_NUMERIC = "non-numeric";
    private static final String SENT = "sent";
    private static final int MAX_ARRAYS = 3;
    private static final Duration MAX_SHIFT = Duration.ofDays(366);
    private static final Pattern UP = Pattern.compile("(\\.\\./)*");
    /** A name of a field, perhaps of an array of one value. */
    private static final Pattern NAME = Pattern.compile("(?!\\*$)[^\\[\\]]+(\\[0])?");

    /**
     * Reads all forms, in declared order, except those with problems.
     *
     * @param isCounted whether a dataset counts events of a type, or they are ignored by declaration
     */
    static List<EventForm> read(YamlField list, Predicate<String> isCounted) {
        List<EventForm> forms = new ArrayList<>();
        Map<Set<Object>, YamlField> seen = new HashMap<>();
        for (YamlField element : list.elements()) {
            new EventFormDeclaration(element).read(isCounted).ifPresent(form -> {
                Set<Object> same = new HashSet<>(form.when());
                same.add(form.each());
                YamlField earlier = seen.putIfAbsent(same, element);
                if (earlier != null) {
                    element.field("when").problem("has the same conditions as " + earlier.path()
                            + ", which reads these events first: change them or remove this form");
                }
                forms.add(form);
            });
        }
        return forms;
    }

    private Optional<EventForm> read(Predicate<String> isCounted) {
        yaml.requireKnownFields("type", "each", "when", "time", "id", "tenant", "attributes");
        Optional<String> type = yaml.field("type").parsed(DatasetDeclaration::shortText, "an event type");
        type.filter(isCounted.negate()).ifPresent(unknown -> yaml.field("type")
                .problem("no dataset counts type '" + unknown + "', and ignore-types does not list it: add it to one of them"));
        List<String> each = each(yaml.field("each"));
        Paths paths = new Paths(each.size());
        List<FormRequirement> when = requirements(paths);
        Optional<FormTime> time = time(paths, yaml.field("time"));
        List<FormPath> id = yaml.field("id").isAbsent() ? List.of() : paths.all(yaml.field("id"));
        FormPath tenant = yaml.field("tenant").isAbsent() ? null : paths.read(yaml.field("tenant")).orElse(null);
        TreeMap<String, FormSource> attributes = attributes(paths);
        return type.isEmpty() || time.isEmpty() || when.isEmpty() ? Optional.empty()
                : Optional.of(new EventForm(type.get(), each, when, time.get(), id, tenant, attributes));
    }

    private static List<String> each(YamlField field) {
        List<String> names = new ArrayList<>();
        if (!field.isAbsent()) {
            List<YamlField> elements = field.isList() ? field.requiredElements() : List.of(field);
            elements.forEach(element -> element.parsed(text -> DatasetDeclaration.shortText(text)
                    .filter(name -> NAME.matcher(name).matches() && !name.contains(".") && !name.endsWith("[0]")),
                    EACH_EXPECTED).ifPresent(names::add));
            if (names.size() > MAX_ARRAYS) {
                field.problem("expected " + EACH_EXPECTED + ", found " + names.size());
            }
        }
        return names;
    }

    private List<FormRequirement> requirements(Paths paths) {
        List<FormRequirement> requirements = new ArrayList<>();
        yaml.field("when").requiredEntries().forEach((name, value) -> {
            String problem = paths.problem(name);
            if (problem == null) {
                DatasetDeclaration.condition(value)
                        .ifPresent(condition -> requirements.add(new FormRequirement(new FormPath(name), condition)));
            } else {
                value.problem("its name must be " + PATH_EXPECTED + problem);
            }
        });
        return requirements;
    }

    private static Optional<FormTime> time(Paths paths, YamlField field) {
        if (!field.isObject()) {
            return field.is(SENT) ? Optional.of(FormTime.SENT)
                    : paths.read(field, PATH_EXPECTED + ", or " + SENT)
                            .map(path -> new FormTime(path, null, null, null, Duration.ZERO));
        }
        field.requireKnownFields("path", "format", "zone", "shift");
        Optional<FormPath> path = paths.read(field.field("path"));
        YamlField format = field.field("format");
        TimePattern written = format.isAbsent() ? null : format(format);
        YamlField zone = field.field("zone");
        boolean isOfField = zone.isObject();
        if (isOfField) {
            zone.requireKnownFields("path", "default");
        }
        FormPath zonePath = isOfField ? paths.read(zone.field("path")).orElse(null) : null;
        ZoneId in = (isOfField ? zone.field("default") : zone).optional(FormTime::zone, FormTime.ZONE_EXPECTED);
        Duration shift = field.field("shift").optional(EventFormDeclaration::shift,
                "a duration of at most 366d, such as 15m or -1h");
        return path.map(where -> new FormTime(where, written, in, zonePath, shift == null ? Duration.ZERO : shift));
    }

    private static Optional<Duration> shift(String text) {
        boolean isEarlier = text.startsWith("-");
        return DatasetDeclaration.duration(isEarlier ? text.substring(1) : text)
                .filter(duration -> duration.compareTo(MAX_SHIFT) <= 0)
                .map(duration -> isEarlier ? duration.negated() : duration);
    }

    private static @Nullable TimePattern format(YamlField field) {
        return field.parsed(Optional::of, "a pattern such as dd/MM/yyyy HH:mm:ss").map(pattern -> {
            try {
                return TimePattern.of(pattern);
            } catch (IllegalArgumentException e) {
                field.problem("expected a pattern of date and time such as dd/MM/yyyy HH:mm:ss, found '" + pattern + "': "
                        + e.getMessage());
                return null;
            }
        }).orElse(null);
    }

    private TreeMap<String, FormSource> attributes(Paths paths) {
        TreeMap<String, FormSource> attributes = new TreeMap<>();
        YamlField field = yaml.field("attributes");
        if (field.isAbsent()) {
            return attributes;
        }
        field.requiredEntries().forEach((name, value) -> {
            if (DatasetDeclaration.shortText(name).isEmpty()) {
                value.problem("its name must be that of an event attribute");
            }
            if (value.isObject()) {
                value.requireKnownFields("path", "default", "absent", "factor");
                YamlField absent = value.field("absent");
                boolean isNumeric = absent.is(NON_NUMERIC);
                TreeSet<String> labels = isNumeric ? new TreeSet<>() : absent(absent);
                BigDecimal factor = value.field("factor").optional(EventFormDeclaration::factor, "a number other than 0");
                paths.read(value.field("path")).ifPresent(path -> attributes.put(name,
                        new FormSource(path, value.field("default").attribute(), labels, isNumeric, factor)));
            } else {
                paths.read(value)
                        .ifPresent(path -> attributes.put(name, new FormSource(path, null, new TreeSet<>(), false, null)));
            }
        });
        return attributes;
    }

    private static TreeSet<String> absent(YamlField field) {
        TreeSet<String> labels = new TreeSet<>();
        if (field.isList()) {
            field.requiredElements()
                    .forEach(element -> element.parsed(Optional::of, "text, a number or a boolean").ifPresent(labels::add));
        } else if (!field.isAbsent()) {
            field.parsed(text -> Optional.<String> empty(), ABSENT_EXPECTED);
        }
        return labels;
    }

    private static Optional<BigDecimal> factor(String text) {
        return Optional.ofNullable(Decimals.parse(text)).filter(number -> Decimals.fits(number) && number.signum() != 0);
    }

    /**
     * Reads the paths of a form.
     *
     * @param arrays how many arrays lead to an object that the form reads
     */
    private record Paths(int arrays) {

        List<FormPath> all(YamlField field) {
            List<FormPath> paths = new ArrayList<>();
            for (YamlField element : field.isList() ? field.requiredElements() : List.of(field)) {
                read(element).ifPresent(paths::add);
            }
            return paths;
        }

        Optional<FormPath> read(YamlField field) {
            return read(field, PATH_EXPECTED);
        }

        Optional<FormPath> read(YamlField field, String expectation) {
            Optional<String> text = field.parsed(DatasetDeclaration::shortText, expectation);
            String problem = text.isEmpty() ? null : problem(text.get());
            if (problem != null) {
                field.problem("expected " + expectation + ", found '" + text.get() + "'" + problem);
                return Optional.empty();
            }
            return text.map(FormPath::new);
        }

        /** Returns advice on a text that is no path; null if it is one. */
        @Nullable
        String problem(String text) {
            if (text.equals("$") || text.startsWith("$.") || text.startsWith("$[")) {
                return ": leave out $, as a path begins at the fields of the object";
            }
            Matcher up = UP.matcher(text);
            int names = up.lookingAt() ? up.end() : 0;
            if (names / "../".length() > arrays) {
                return ": each ../ leads out of an array that each names, and there are " + arrays;
            }
            if (!DatasetDeclaration.shortText(text).isPresent() || ("." + text.substring(names) + ".").contains("..")) {
                return "";
            }
            return Stream.of(text.substring(names).split("\\.", -1)).allMatch(name -> NAME.matcher(name).matches()) ? null
                    : ": a path has no wildcards, and no position but [0] of an array of one value; each reads all elements";
        }
    }
}
