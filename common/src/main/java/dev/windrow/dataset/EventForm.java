package dev.windrow.dataset;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.KeyCodec;
import dev.windrow.base.Reason;
import dev.windrow.dataset.Event.Attribute;

/**
 * How a producer's JSON objects that lack the fields of Windrow's own form are read as events.
 *
 * @param each the field of a message whose elements are the objects; null to read an object as it arrived
 * @param when the conditions that an object must meet, by path; at least one
 * @param id the paths of the parts of its id, which are joined by a space; empty for events without an id
 * @param tenant the path of its tenant; null for the message's tenant
 * @param attributes the sources of its attributes, by their names in datasets
 */
public record EventForm(String type, @Nullable String each, List<Requirement> when, Time time, List<Path> id,
        @Nullable Path tenant, SortedMap<String, Source> attributes) {

    public EventForm {
        when = List.copyOf(when);
        id = List.copyOf(id);
        attributes = new TreeMap<>(attributes);
    }

    /** Returns the field of the producer's object that a field of the event comes from, for error messages. */
    public String origin(String field) {
        String prefix = "attributes.";
        Source source = field.startsWith(prefix) ? attributes.get(field.substring(prefix.length())) : null;
        if (source != null) {
            return source.path().text();
        }
        return field.equals("id") && !id.isEmpty() ? String.join(" ", id.stream().map(Path::text).toList()) : field;
    }

    /** The canonical text, without spaces: equal for forms that read every object the same way. */
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
     * Field names joined by dots, from the root of an object. Where a field name itself contains dots, the longest name that
     * the object has is taken.
     */
    public static final class Path {

        private final String text;
        private final String[][] names;

        /** @param text field names, none of them empty, such as {@code s3.bucket.name} */
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

        public int length() {
            return names.length;
        }

        /**
         * Returns the possible names of the next field on the path, longest first.
         *
         * @param from the number of names that lead to the object
         */
        public String[] names(int from) {
            return names[from].clone();
        }

        /**
         * Follows the path.
         *
         * @param root the fields of the object; nested objects are maps too
         * @return the value at the path; null if it is missing
         */
        public @Nullable Object find(Map<?, ?> root) {
            Object at = root;
            for (int from = 0; from < names.length;) {
                if (!(at instanceof Map<?, ?> fields)) {
                    // Only objects have fields. An unusable field, such as a duplicate, is returned to report its error.
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

        /** The path as declared. */
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

    public record Requirement(Path path, Condition condition) {

        private String text() {
            return KeyCodec.encode(List.of(path.text(), condition.text()));
        }
    }

    /**
     * The source of an attribute.
     *
     * @param absent the default if the value is missing or null; null to leave the attribute absent
     */
    public record Source(Path path, @Nullable Attribute absent) {

        private String text() {
            return absent == null ? path.text()
                    : KeyCodec.encode(List.of(path.text(), absent.description(), String.valueOf(absent.label())));
        }
    }

    /**
     * The source and format of an event's time.
     *
     * @param path the path of the time; null for the message's sent time
     * @param format the format of the time; null for the formats that {@link EventTimes} reads
     * @param zone the zone of times without one; null if a zone is required
     */
    public record Time(@Nullable Path path, @Nullable TimePattern format, @Nullable ZoneId zone) {

        /** The message's sent time. */
        static final Time SENT = new Time(null, null, null);

        /**
         * Reads a time.
         *
         * @throws InvalidInputException with {@link Reason#INVALID_TIME} if it is not a valid time, or with
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
}
