package dev.windrow.dataset;

import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.EventForm.Path;
import dev.windrow.dataset.EventForm.Requirement;
import dev.windrow.dataset.EventForm.Source;
import dev.windrow.dataset.EventForm.Time;

record EventFormDeclaration(YamlField yaml) {

    private static final String PATH_EXPECTED = "names of fields joined by dots, such as detail.customer.country";
    private static final String SENT = "sent";

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
                same.add(Optional.ofNullable(form.each()));
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
        String elements = yaml.field("each").optional(DatasetDeclaration::shortText, "the name of a field of the message");
        List<Requirement> when = requirements();
        Optional<Time> time = time(yaml.field("time"));
        List<Path> id = yaml.field("id").isAbsent() ? List.of() : paths(yaml.field("id"));
        Path tenant = yaml.field("tenant").optional(EventFormDeclaration::parsedPath, PATH_EXPECTED);
        TreeMap<String, Source> attributes = attributes();
        return type.isEmpty() || time.isEmpty() || when.isEmpty() ? Optional.empty()
                : Optional.of(new EventForm(type.get(), elements, when, time.get(), id, tenant, attributes));
    }

    private List<Requirement> requirements() {
        List<Requirement> requirements = new ArrayList<>();
        yaml.field("when").requiredEntries().forEach((name, value) -> parsedPath(name).ifPresentOrElse(
                path -> DatasetDeclaration.condition(value)
                        .ifPresent(condition -> requirements.add(new Requirement(path, condition))),
                () -> value.problem("its name must be " + PATH_EXPECTED)));
        return requirements;
    }

    private static Optional<Time> time(YamlField field) {
        if (!field.isObject()) {
            return field.parsed(text -> text.equals(SENT) ? Optional.of(Time.SENT)
                    : parsedPath(text).map(path -> new Time(path, null, null)), PATH_EXPECTED + ", or " + SENT);
        }
        field.requireKnownFields("path", "format", "zone");
        Optional<Path> path = path(field.field("path"));
        YamlField format = field.field("format");
        TimePattern written = format.isAbsent() ? null : format(format);
        ZoneId in = field.field("zone").optional(EventFormDeclaration::zone,
                "a region such as Europe/Berlin or an offset such as +01:00");
        return path.map(where -> new Time(where, written, in));
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

    private static Optional<ZoneId> zone(String text) {
        try {
            return Optional.of(ZoneId.of(text));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private TreeMap<String, Source> attributes() {
        TreeMap<String, Source> attributes = new TreeMap<>();
        YamlField field = yaml.field("attributes");
        if (field.isAbsent()) {
            return attributes;
        }
        field.requiredEntries().forEach((name, value) -> {
            if (DatasetDeclaration.shortText(name).isEmpty()) {
                value.problem("its name must be that of an event attribute");
            }
            if (value.isObject()) {
                value.requireKnownFields("path", "default");
                path(value.field("path"))
                        .ifPresent(path -> attributes.put(name, new Source(path, value.field("default").attribute())));
            } else {
                path(value).ifPresent(path -> attributes.put(name, new Source(path, null)));
            }
        });
        return attributes;
    }

    private static List<Path> paths(YamlField field) {
        List<Path> paths = new ArrayList<>();
        for (YamlField element : field.isList() ? field.requiredElements() : List.of(field)) {
            path(element).ifPresent(paths::add);
        }
        return paths;
    }

    private static Optional<Path> path(YamlField field) {
        return field.parsed(EventFormDeclaration::parsedPath, PATH_EXPECTED);
    }

    private static Optional<Path> parsedPath(String text) {
        boolean whole = DatasetDeclaration.shortText(text).isPresent() && !("." + text + ".").contains("..");
        return whole ? Optional.of(new Path(text)) : Optional.empty();
    }
}
