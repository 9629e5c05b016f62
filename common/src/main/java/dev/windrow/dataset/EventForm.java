package dev.windrow.dataset;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.KeyCodec;
import dev.windrow.base.Reason;
import dev.windrow.dataset.Event.Attribute;

/**
 * How a producer's JSON objects that lack the fields of Windrow's own form are read as events.
 *
 * @param each the names of the arrays that lead to the objects: a field of the message, then a field of each of its elements,
 *        and so on; empty to read an object as it arrived
 * @param when the conditions that an object must meet, by path; at least one
 * @param id the paths of the parts of its id, which are joined by a space; empty for events without an id
 * @param tenant the path of its tenant; null for the message's tenant
 * @param attributes the sources of its attributes, by their names in datasets
 */
public record EventForm(String type, List<String> each, List<Requirement> when, Time time, List<Path> id,
        @Nullable Path tenant, SortedMap<String, Source> attributes) {

    public EventForm {
        each = List.copyOf(each);
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
        parts.add(each.size() > 1 ? KeyCodec.encode(each) : String.join("", each));
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
     * the object has is taken. After a name, {@code [0]} stands for the value of an array of one; before the first, each
     * {@code ../} stands for the object that has the array in which the object is.
     */
    public static final class Path {

        private static final String UP = "../";
        private static final String ONLY = "[0]";

        private final String text;
        private final int up;
        /** The possible next steps, longest name first, by the number of names that lead to the object. */
        private final Step[][] steps;

        /** Why there is no usable value at a path although there is one on the way. */
        public enum Miss {

            /** The path leads through an array. */
            THROUGH_ARRAY,
            /** An array that should have one value has more. */
            MANY,
            /** A value that should be an array is none. */
            NO_ARRAY
        }

        private record Step(String name, boolean isOnly, int next) {
        }

        /** @param text field names, none of them empty, such as {@code s3.bucket.name} */
        Path(String text) {
            this.text = text;
            int above = 0;
            while (text.startsWith(UP, above * UP.length())) {
                above++;
            }
            this.up = above;
            String[] parts = text.substring(above * UP.length()).split("\\.", -1);
            this.steps = new Step[parts.length][];
            for (int from = 0; from < parts.length; from++) {
                List<Step> possible = new ArrayList<>();
                StringBuilder name = new StringBuilder();
                for (int to = from; to < parts.length; to++) {
                    boolean isOnly = parts[to].endsWith(ONLY);
                    name.append(to == from ? "" : ".")
                            .append(isOnly ? parts[to].substring(0, parts[to].length() - ONLY.length()) : parts[to]);
                    possible.add(0, new Step(name.toString(), isOnly, to + 1));
                    if (isOnly) {
                        break;
                    }
                }
                steps[from] = possible.toArray(Step[]::new);
            }
        }

        /** The number of objects on the path, which is at most that of its names. */
        public int length() {
            return steps.length;
        }

        /** How many arrays the path leads out of. */
        public int up() {
            return up;
        }

        /** The names of fields that the path may lead to. */
        public Set<String> fields() {
            return names(false);
        }

        /** The names of fields of which the path may take the only value. */
        public Set<String> arrays() {
            return names(true);
        }

        private Set<String> names(boolean onlyArrays) {
            return Arrays.stream(steps).flatMap(Arrays::stream).filter(step -> step.isOnly || !onlyArrays).map(Step::name)
                    .collect(Collectors.toSet());
        }

        /**
         * Follows the path.
         *
         * @param root the fields of the object; nested objects are maps too, and arrays whose only value may be needed are
         *        {@link Elements}
         * @return the value at the path, which may be a {@link Miss}; null if it is missing
         */
        public @Nullable Object find(Map<?, ?> root) {
            Object at = root;
            for (int from = 0; from < steps.length;) {
                if (!(at instanceof Map<?, ?> fields)) {
                    return beyond(at);
                }
                Object next = null;
                Step taken = steps[from][0];
                for (int i = 0; next == null && i < steps[from].length; i++) {
                    taken = steps[from][i];
                    next = fields.get(taken.name);
                }
                if (next != null && taken.isOnly) {
                    next = only(next);
                }
                if (next == null) {
                    return null;
                }
                from = taken.next;
                at = next;
            }
            return at;
        }

        /** Only objects have fields. An unusable field, such as a duplicate, is returned to report its error. */
        private static @Nullable Object beyond(Object value) {
            if (value instanceof Attribute.Nested || value instanceof Elements) {
                return Miss.THROUGH_ARRAY;
            }
            return value instanceof Attribute ? null : value;
        }

        private static @Nullable Object only(Object value) {
            if (value instanceof Elements array) {
                return array.size > 1 ? Miss.MANY : array.first;
            }
            return value instanceof Attribute || value instanceof Map ? Miss.NO_ARRAY : value;
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

    /**
     * An array of a producer's object.
     *
     * @param first its first value; null if there is none, or it is null
     */
    public record Elements(@Nullable Object first, int size) {
    }

    public record Requirement(Path path, Condition condition) {

        private String text() {
            return KeyCodec.encode(List.of(path.text(), condition.text()));
        }
    }

    /**
     * The source of an attribute.
     *
     * @param otherwise the default if the value is missing, null or absent; null to leave the attribute absent
     * @param absent the labels of values that stand for none
     * @param isNumeric whether all text that is no number stands for none
     * @param factor what a number is multiplied by; null to leave the value as it is
     */
    public record Source(Path path, @Nullable Attribute otherwise, SortedSet<String> absent, boolean isNumeric,
            @Nullable BigDecimal factor) {

        /** Whether a value stands for none. */
        public boolean isAbsent(Attribute value) {
            if (isNumeric && value instanceof Attribute.Text && value.number() == null) {
                return true;
            }
            return !absent.isEmpty() && value.label() != null && absent.contains(value.label());
        }

        private String text() {
            List<String> parts = new ArrayList<>(List.of(path.text()));
            if (otherwise != null) {
                parts.addAll(List.of(otherwise.description(), String.valueOf(otherwise.label())));
            }
            if (!absent.isEmpty()) {
                parts.add(KeyCodec.encode(Stream.concat(Stream.of("absent"), absent.stream()).toList()));
            }
            if (isNumeric) {
                parts.add("numeric");
            }
            if (factor != null) {
                parts.add("factor " + Decimals.canonical(factor));
            }
            return parts.size() == 1 ? path.text() : KeyCodec.encode(parts);
        }
    }

    /**
     * The source and format of an event's time.
     *
     * @param path the path of the time; null for the message's sent time
     * @param format the format of the time; null for the formats that {@link EventTimes} reads
     * @param zone the zone of times without one, unless the object has it; null if a zone is required
     * @param zonePath the path of the zone; null if it is the same for all
     * @param shift what is added to the time
     */
    public record Time(@Nullable Path path, @Nullable TimePattern format, @Nullable ZoneId zone, @Nullable Path zonePath,
            Duration shift) {

        /** The zones of fields, for error messages. */
        public static final String ZONE_EXPECTED = "a region such as Europe/Berlin or an offset such as +01:00";

        /** The message's sent time. */
        static final Time SENT = new Time(null, null, null, null, Duration.ZERO);

        /**
         * Reads a time, without its shift.
         *
         * @param in the zone of a time without one; null if a zone is required, or with a format for UTC
         * @throws InvalidInputException with {@link Reason#INVALID_TIME} if it is not a valid time, or with
         *         {@link Reason#WRONG_FIELD_TYPE} if it is neither text nor a number
         */
        public Instant read(String field, Attribute value, @Nullable ZoneId in) {
            if (format != null && (value instanceof Attribute.Text || value instanceof Attribute.Decimal)) {
                return format.read(field, String.valueOf(value.label()), in == null ? ZoneOffset.UTC : in);
            }
            if (value instanceof Attribute.Text text) {
                return EventTimes.parse(field, text.value(), in);
            }
            if (value instanceof Attribute.Decimal number) {
                return EventTimes.ofEpoch(field, number.value());
            }
            throw new InvalidInputException(Reason.WRONG_FIELD_TYPE, field,
                    "expected text such as 2026-11-20T10:31:32Z, or a number since 1970, found " + value.description());
        }

        /** Reads a zone; empty if it is none. */
        public static Optional<ZoneId> zone(String text) {
            try {
                return Optional.of(ZoneId.of(text));
            } catch (DateTimeException e) {
                return Optional.empty();
            }
        }

        private String text() {
            List<String> parts = new ArrayList<>(List.of(path == null ? "sent" : "at " + path.text(),
                    format == null ? "" : format.pattern(), zone == null ? "" : zone.getId()));
            if (zonePath != null) {
                parts.add("zone " + zonePath.text());
            }
            if (!shift.isZero()) {
                parts.add("shift " + shift);
            }
            return KeyCodec.encode(parts);
        }
    }
}
