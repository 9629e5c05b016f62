package dev.windrow.dataset;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.KeyCodec;
import dev.windrow.base.Reason;
import dev.windrow.base.Sanitized;
import dev.windrow.dataset.Event.Attribute;

/**
 * How a producer's JSON objects are read as events where they lack the fields of Windrow's own form.
 *
 * @param each the field of a message whose elements are the objects; null if the object is read as it came
 * @param when the conditions an object must meet, by path; at least one
 * @param time where the time of the event is
 * @param id where the parts of its id are, which are joined by a space; none for events without an id
 * @param tenant where its tenant is; null for that of the message
 * @param attributes where its attributes are, by their names in datasets
 */
public record EventForm(String type, @Nullable String each, List<Requirement> when, Time time, List<Path> id,
        @Nullable Path tenant, SortedMap<String, Source> attributes) {

    public EventForm {
        when = List.copyOf(when);
        id = List.copyOf(id);
        attributes = new TreeMap<>(attributes);
    }

    /** The field of the producer's object that a field of the event comes from, for errors. */
    public String origin(String field) {
        String prefix = "attributes.";
        Source source = field.startsWith(prefix) ? attributes.get(field.substring(prefix.length())) : null;
        if (source != null) {
            return source.path().text();
        }
        return field.equals("id") && !id.isEmpty() ? String.join(" ", id.stream().map(Path::text).toList()) : field;
    }

    /** The canonical text: equal for forms that read every object alike, without spaces. */
    String text() {
        List<String> parts = new ArrayList<>();
        parts.add(each == null ? "" : each);
        when.stream().sorted((one, other) -> one.path().text().compareTo(other.path().text()))
                .forEach(requirement -> parts.add(requirement.text()));
        parts.add(time.text());
        parts.add(KeyCodec.encode(List.of("id", String.join(" ", id.stream().map(Path::text).toList()))));
        parts.add(KeyCodec.encode(List.of("tenant", tenant == null ? "" : tenant.text())));
        attributes.forEach((name, source) -> parts.add(KeyCodec.encode(List.of(name, source.text()))));
        return KeyCodec.encode(parts);
    }

    /**
     * Names of fields joined by dots, from an object's root. Where a field's own name has dots, the longest name that an object
     * has is taken.
     */
    public static final class Path {

        private final String text;
        private final String[][] names;

        /** @param text names without an empty one, such as {@code s3.bucket.name} */
        Path(String text) {
            String[] parts = text.split("\\.", -1);
            this.text = text;
            this.names = new String[parts.length][];
            for (int from = 0; from < parts.length; from++) {
                names[from] = new String[parts.length - from];
                for (int i = 0; i < names[from].length; i++) {
                    names[from][i] = String.join(".", Arrays.asList(parts).subList(from, parts.length - i));
                }
            }
        }

        /** How many names it has. */
        public int length() {
            return names.length;
        }

        /**
         * What a field may be called that the rest of the path leads to, longest first.
         *
         * @param from how many names lead to the object
         */
        public String[] names(int from) {
            return names[from].clone();
        }

        /**
         * Follows the path.
         *
         * @param root the fields of the object; those that are objects are such maps, too
         * @return what it leads to; null if that is missing
         */
        public @Nullable Object find(Map<?, ?> root) {
            Object at = root;
            for (int from = 0; from < names.length;) {
                if (!(at instanceof Map<?, ?> fields)) {
                    // Only objects have fields. A field that cannot be used, such as a duplicate, is returned for its error.
                    return at instanceof Attribute ? null : at;
                }
                Object next = null;
                int taken = 0;
                while (next == null && taken < names[from].length) {
                    next = fields.get(names[from][taken]);
                    taken++;
                }
                if (next == null) {
                    return null;
                }
                from = names.length - taken + 1;
                at = next;
            }
            return at;
        }

        /** As declared. */
        public String text() {
            return text;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Path path && path.text.equals(text);
        }

        @Override
        public int hashCode() {
            return text.hashCode();
        }
    }

    /** What is required of the value at a path. */
    public record Requirement(Path path, Condition condition) {

        private String text() {
            return KeyCodec.encode(List.of(path.text(), condition.text()));
        }
    }

    /**
     * Where an attribute comes from.
     *
     * @param path where its value is
     * @param absent its value where that is missing or null; null if it is then absent
     */
    public record Source(Path path, @Nullable Attribute absent) {

        private String text() {
            return absent == null ? path.text()
                    : KeyCodec.encode(List.of(path.text(), absent.description(), String.valueOf(absent.label())));
        }
    }

    /**
     * Where the time comes from, and how it is written.
     *
     * @param path where it is; null for when the message was sent
     * @param format how it is written; null for what {@link EventTimes} reads
     * @param zone of times without one; null if there must be one
     */
    public record Time(@Nullable Path path, @Nullable Format format, @Nullable ZoneId zone) {

        /** Whenever the message was sent. */
        static final Time SENT = new Time(null, null, null);

        /**
         * Reads a value.
         *
         * @throws InvalidInputException with {@link Reason#INVALID_TIME} if it is no such time, or with
         *         {@link Reason#WRONG_FIELD_TYPE} if it is neither text nor a number
         */
        public Instant read(String field, Attribute value) {
            if (format != null && (value instanceof Attribute.Text || value instanceof Attribute.Decimal)) {
                return format.read(field, String.valueOf(value.label()), zone == null ? ZoneOffset.UTC : zone);
            }
            if (value instanceof Attribute.Text text) {
                return EventTimes.parse(field, text.value(), zone);
            }
            if (value instanceof Attribute.Decimal number) {
                return EventTimes.ofEpoch(field, number.value());
            }
            throw new InvalidInputException(Reason.WRONG_FIELD_TYPE, field,
                    "expected text such as 2026-11-20T10:31:32Z, or a number since 1970, found " + value.description());
        }

        private String text() {
            return KeyCodec.encode(List.of(path == null ? "sent" : "at " + path.text(), format == null ? "" : format.pattern(),
                    zone == null ? "" : zone.getId()));
        }
    }

    /** A pattern of {@link DateTimeFormatter} with a date and a time, in English. */
    public record Format(String pattern, DateTimeFormatter formatter) {

        private static final ZonedDateTime SAMPLE = ZonedDateTime.of(LocalDate.of(2026, 11, 24), LocalTime.of(13, 14, 15),
                ZoneOffset.UTC);

        /**
         * @param pattern such as {@code dd/MMM/yyyy:HH:mm:ss xx}
         * @throws IllegalArgumentException if it is no pattern, or lacks date or time; the message says which
         */
        Format(String pattern) {
            // Strict, so that February has no 30th day; then years of an era (y) need the era.
            this(pattern, new DateTimeFormatterBuilder().appendPattern(pattern).parseDefaulting(ChronoField.ERA, 1)
                    .toFormatter(Locale.ENGLISH).withResolverStyle(ResolverStyle.STRICT));
            TemporalAccessor sample;
            try {
                sample = formatter.parse(formatter.format(SAMPLE));
            } catch (DateTimeException e) {
                throw new IllegalArgumentException("its own output cannot be read: " + e.getMessage(), e);
            }
            if (sample.query(TemporalQueries.localDate()) == null || sample.query(TemporalQueries.localTime()) == null) {
                throw new IllegalArgumentException("it lacks the date or the time");
            }
        }

        /** In an overlap of local times the earlier one, in a gap the later one, unless the text has a zone. */
        private Instant read(String field, String text, ZoneId zone) {
            try {
                TemporalAccessor parsed = formatter.parse(text);
                Instant time = parsed.isSupported(ChronoField.INSTANT_SECONDS) ? Instant.from(parsed)
                        : ZonedDateTime.of(LocalDate.from(parsed), LocalTime.from(parsed), zone).toInstant();
                return EventTimes.inRange(field, time);
            } catch (DateTimeException e) {
                throw new InvalidInputException(Reason.INVALID_TIME, field,
                        "expected a time written as " + pattern + ", found " + Sanitized.of(text));
            }
        }
    }
}
