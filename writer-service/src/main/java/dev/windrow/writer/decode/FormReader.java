package dev.windrow.writer.decode;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.base.Sanitized;
import dev.windrow.dataset.Event;
import dev.windrow.dataset.Event.Attribute;
import dev.windrow.dataset.EventForm;
import dev.windrow.dataset.EventForm.Path;
import dev.windrow.dataset.EventForm.Requirement;
import dev.windrow.dataset.EventForm.Source;
import dev.windrow.dataset.TenantNames;
import dev.windrow.writer.decode.EventCollector.RejectedEvent;
import dev.windrow.writer.decode.EventDecoder.EventDefaults;
import dev.windrow.writer.decode.EventDecoder.MemoryBudget;
import dev.windrow.writer.decode.EventReader.ValueReader;
import dev.windrow.writer.decode.Message.HeapSize;

/**
 * Reads the events of one message one by one by declared forms. It keeps the fields of an object that some path may lead to,
 * finds the first form whose conditions hold, and takes the fields that this form names.
 */
final class FormReader {

    /** Bytes that are taken from the memory budget at a time. */
    private static final long STEP = 4_096;
    /** Estimated heap bytes of a kept field, without its text. */
    private static final long FIELD = 96;
    private static final int NOTIFICATION = 7;

    private final FormSet forms;
    private final ValueReader values;
    private final EventDefaults defaults;
    private final MemoryBudget allowance;
    private final boolean mayBeNotification;
    /** Adds to an error of an object that no form reads why the nearest form does not. */
    final UnaryOperator<RejectedEvent> unread = this::unread;
    /** Names the producer's field in an error of an event that a form read. */
    final UnaryOperator<RejectedEvent> named = rejection -> rejection.withField(form().origin(rejection.field()));
    private Map<String, Object> root = Map.of();
    private @Nullable EventForm form;
    /** A bit for each field of the last object that identifies an SNS notification. */
    private int notificationFields;
    private long size;
    private long taken;

    /** Stands for a field's value that cannot be used. */
    private enum Unusable {

        /** Several fields have the same name. */
        TWICE,
        /** A number that is too large, too small or too long. */
        BAD_NUMBER
    }

    /**
     * @param allowance memory for the kept fields of the largest object
     * @param mayBeNotification whether an SNS notification is left to be unwrapped
     */
    FormReader(FormSet forms, Set<String> usedAttributes, EventDefaults defaults, MemoryBudget allowance,
            boolean mayBeNotification) {
        this.forms = forms;
        this.values = new ValueReader(usedAttributes);
        this.defaults = defaults;
        this.allowance = allowance;
        this.mayBeNotification = mayBeNotification;
    }

    /**
     * Reads one value and consumes all of it, even if no form matches.
     *
     * @param json positioned at the value's first token
     * @return whether a form matches
     * @throws IOException if the text is not JSON
     */
    boolean matches(JsonParser json, int index) throws IOException {
        values.start(index);
        form = null;
        size = 0;
        root = Map.of();
        if (json.currentToken() != JsonToken.START_OBJECT) {
            json.skipChildren();
            return false;
        }
        notificationFields = 0;
        root = object(json, 1);
        if (mayBeNotification && notificationFields == NOTIFICATION) {
            return false;
        }
        // Drops errors found so far: the fields may not matter to the form that matches.
        values.start(index);
        for (EventForm candidate : forms.all) {
            if (holds(candidate)) {
                form = candidate;
                return true;
            }
        }
        return false;
    }

    /** Returns the form that matched the last value. */
    EventForm form() {
        return Objects.requireNonNull(form);
    }

    /** Returns the event of the last value, which a form must have matched; null if it is rejected. */
    @Nullable
    Event event() {
        EventForm by = form();
        Instant time = time(by);
        String id = id(by);
        String tenant = by.tenant() == null ? null : label(by.tenant());
        String owner = tenant == null ? defaults.tenant() : tenant;
        Map<String, Attribute> attributes = new HashMap<>();
        by.attributes().forEach((name, source) -> {
            Attribute value = values.isUsed(name) ? attribute(source) : null;
            if (value != null) {
                attributes.put(name, value);
            }
        });
        if (!TenantNames.isValid(owner)) {
            values.reject(Reason.INVALID_TENANT, by.tenant() == null ? "tenant" : by.tenant().text(),
                    "expected " + TenantNames.EXPECTED);
        }
        return values.rejection() != null || time == null ? null : new Event(by.type(), time, id, owner, attributes);
    }

    /** Returns why {@link #event} returned null. */
    RejectedEvent rejection() {
        return Objects.requireNonNull(values.rejection());
    }

    private @Nullable Instant time(EventForm by) {
        Path path = by.time().path();
        if (path == null) {
            return defaults.sent();
        }
        Attribute value = value(path);
        if (value == null) {
            values.reject(Reason.MISSING_FIELD, path.text(), "expected the event's time");
            return null;
        }
        if (by.time().format() == null && value instanceof Attribute.Text text) {
            Instant common = values.commonTime(text.value());
            if (common != null) {
                return common;
            }
        }
        try {
            return by.time().read(path.text(), value);
        } catch (InvalidInputException e) {
            values.reject(e.reason(), path.text(), String.valueOf(e.getMessage()).substring(path.text().length() + 2));
            return null;
        }
    }

    /** Returns the event's id; null if the form has none or a part of it is missing. */
    private @Nullable String id(EventForm by) {
        String id = null;
        for (Path path : by.id()) {
            String part = label(path);
            if (part == null) {
                return null;
            }
            id = id == null ? part : id + " " + part;
        }
        return id;
    }

    private @Nullable Attribute attribute(Source source) {
        Attribute value = value(source.path());
        return value == null ? source.absent() : value;
    }

    private @Nullable String label(Path path) {
        Attribute value = value(path);
        if (value == null) {
            return null;
        }
        String label = value.label();
        if (label == null) {
            values.reject(Reason.WRONG_FIELD_TYPE, path.text(),
                    "expected text, a number or a boolean, found " + value.description());
        }
        return label;
    }

    private boolean holds(EventForm candidate) {
        for (Requirement requirement : candidate.when()) {
            if (!holds(requirement)) {
                return false;
            }
        }
        return true;
    }

    private boolean holds(Requirement requirement) {
        return requirement.condition().holds(compared(requirement));
    }

    /** Returns the value that a condition is about. A duplicate field, or a number out of range, exists but equals nothing. */
    private @Nullable Attribute compared(Requirement requirement) {
        Object found = requirement.path().find(root);
        return found == null ? null : found instanceof Attribute attribute ? attribute : new Attribute.Nested();
    }

    private RejectedEvent unread(RejectedEvent rejection) {
        return FormSet.isExplained(rejection.reason())
                ? rejection.withDetail(rejection.detail() + "; " + forms.noneFits() + nearest())
                : rejection;
    }

    /** Returns why the form that lacks the fewest conditions does not read the last value. */
    private String nearest() {
        EventForm nearest = forms.all.get(0);
        long least = Long.MAX_VALUE;
        for (EventForm candidate : forms.all) {
            long missed = candidate.when().stream().filter(requirement -> !holds(requirement)).count();
            if (missed < least) {
                nearest = candidate;
                least = missed;
            }
        }
        Requirement missed = nearest.when().stream().filter(requirement -> !holds(requirement)).findFirst().orElseThrow();
        Attribute value = compared(missed);
        String label = value == null ? null : value.label();
        return (forms.total == 1 ? ": " : "; the nearest is `" + nearest.type() + "`: ") + missed.path().text() + " is "
                + (value == null ? "missing" : label == null ? value.description() : Sanitized.of(label)) + ", expected "
                + missed.condition().expectation();
    }

    /** Returns the value at a path; null if it is missing or was rejected. */
    private @Nullable Attribute value(Path path) {
        Object found = path.find(root);
        if (found == Unusable.TWICE) {
            values.reject(Reason.DUPLICATE_FIELD, path.text(), "the field appears twice");
            return null;
        }
        if (found == Unusable.BAD_NUMBER) {
            values.rejectNumber(path.text());
            return null;
        }
        return found == null ? null : found instanceof Attribute attribute ? attribute : new Attribute.Nested();
    }

    private Map<String, Object> object(JsonParser json, int depth) throws IOException {
        Map<String, Object> fields = new HashMap<>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            JsonToken token = json.nextToken();
            if (depth == 1 && token == JsonToken.VALUE_STRING) {
                notificationFields |= switch (name) {
                    case "Type" -> json.getText().equals("Notification") ? 1 : 0;
                    case "TopicArn" -> 2;
                    case "Message" -> 4;
                    default -> 0;
                };
            }
            if (!forms.names.contains(name) || token == JsonToken.VALUE_NULL) {
                json.skipChildren();
                continue;
            }
            Object value;
            if (token == JsonToken.START_OBJECT && depth < forms.depth) {
                value = object(json, depth + 1);
            } else {
                Attribute read = values.attribute(json, token, "", name);
                value = read == null ? Unusable.BAD_NUMBER : read;
            }
            grow(value instanceof Attribute.Text text ? HeapSize.of(text.value()) : 0);
            if (fields.put(name, value) != null) {
                fields.put(name, Unusable.TWICE);
            }
        }
        return fields;
    }

    private void grow(long text) {
        size += FIELD + text;
        if (size > taken) {
            long more = Math.max(size - taken, STEP);
            allowance.take(more);
            taken += more;
        }
    }

    /** Forms of which the first whose conditions hold reads an object, and the field names they may need. Immutable. */
    static final class FormSet {

        private static final Set<Reason> MEANT_FOR_FORMS = EnumSet.of(Reason.MISSING_FIELD, Reason.WRONG_FIELD_TYPE,
                Reason.INVALID_TIME, Reason.INVALID_ENVELOPE, Reason.UNKNOWN_EVENT_TYPE, Reason.MISSING_LABEL);

        private final List<EventForm> all;
        private final Set<String> names = new HashSet<>();
        private final int depth;
        private final int total;

        private FormSet(List<EventForm> all, int total) {
            this.all = List.copyOf(all);
            this.total = total;
            List<Path> paths = new ArrayList<>();
            for (EventForm form : all) {
                form.when().forEach(requirement -> paths.add(requirement.path()));
                paths.addAll(form.id());
                form.attributes().values().forEach(source -> paths.add(source.path()));
                if (form.time().path() != null) {
                    paths.add(form.time().path());
                }
                if (form.tenant() != null) {
                    paths.add(form.tenant());
                }
            }
            for (Path path : paths) {
                for (int from = 0; from < path.length(); from++) {
                    names.addAll(List.of(path.names(from)));
                }
            }
            this.depth = paths.stream().mapToInt(Path::length).max().orElse(0);
        }

        /** Whether an object with this error may have been meant for a form. */
        static boolean isExplained(Reason reason) {
            return MEANT_FOR_FORMS.contains(reason);
        }

        String noneFits() {
            return total == 1 ? "the form `" + all.get(0).type() + "` does not fit" : "none of " + total + " forms fits";
        }

        /** Groups forms by their {@code each}, in declared order; forms without one are under the empty text. */
        static Map<String, FormSet> byEach(List<EventForm> forms) {
            Map<String, List<EventForm>> byEach = new LinkedHashMap<>();
            forms.forEach(form -> byEach
                    .computeIfAbsent(form.each() == null ? "" : form.each(), each -> new ArrayList<>()).add(form));
            Map<String, FormSet> sets = new LinkedHashMap<>();
            byEach.forEach((each, those) -> sets.put(each, new FormSet(those, forms.size())));
            return sets;
        }
    }
}
