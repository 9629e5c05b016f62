package dev.windrow.writer.decode;

import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

import dev.windrow.base.Decimals;
import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.base.Sanitized;
import dev.windrow.event.Attribute;
import dev.windrow.event.Event;
import dev.windrow.event.EventForm;
import dev.windrow.event.FormElements;
import dev.windrow.event.FormPath;
import dev.windrow.event.FormRequirement;
import dev.windrow.event.FormSource;
import dev.windrow.event.FormTime;
import dev.windrow.event.PathMiss;
import dev.windrow.event.TenantNames;
import dev.windrow.time.EventTimes;
import dev.windrow.writer.decode.FormSet.Used;

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
    /** What paths may lead to in the objects that have the arrays in which the object is, outermost first. */
    private final List<Map<String, Object>> parents = new ArrayList<>();
    private final List<Long> sizes = new ArrayList<>();
    private long parentsSize;
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
        size = parentsSize;
        root = Map.of();
        if (json.currentToken() != JsonToken.START_OBJECT) {
            json.skipChildren();
            return false;
        }
        notificationFields = 0;
        root = object(json, forms.used(0), 1);
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
        FormPath path = by.time().path();
        if (path == null) {
            return defaults.sent();
        }
        Attribute value = value(path);
        if (value == null) {
            values.reject(Reason.MISSING_FIELD, path.text(), "expected the event's time");
            return null;
        }
        Instant time = unshifted(by, path, value);
        if (time == null || by.time().shift().isZero()) {
            return time;
        }
        try {
            return EventTimes.inRange(path.text(), time.plus(by.time().shift()));
        } catch (InvalidInputException e) {
            values.reject(e.reason(), path.text(), String.valueOf(e.getMessage()).substring(path.text().length() + 2));
            return null;
        }
    }

    private @Nullable Instant unshifted(EventForm by, FormPath path, Attribute value) {
        if (by.time().format() == null && value instanceof Attribute.Text text) {
            Instant common = values.commonTime(text.value());
            if (common != null) {
                return common;
            }
        }
        ZoneId zone = zone(by.time());
        if (zone == null && by.time().zonePath() != null) {
            return null;
        }
        try {
            return by.time().read(path.text(), value, zone);
        } catch (InvalidInputException e) {
            values.reject(e.reason(), path.text(), String.valueOf(e.getMessage()).substring(path.text().length() + 2));
            return null;
        }
    }

    /** Returns the zone of a time without one; null if it has to have one, or the object's zone was rejected. */
    private @Nullable ZoneId zone(FormTime time) {
        FormPath path = time.zonePath();
        Attribute value = path == null ? null : value(path);
        if (path == null || (value == null && time.zone() != null)) {
            return time.zone();
        }
        if (value == null) {
            values.reject(Reason.MISSING_FIELD, path.text(), "expected the zone of the event's time");
            return null;
        }
        ZoneId zone = value instanceof Attribute.Text text ? FormTime.zone(text.value()).orElse(null) : null;
        if (zone == null) {
            values.reject(Reason.INVALID_TIME, path.text(), "expected " + FormTime.ZONE_EXPECTED + ", found "
                    + (value instanceof Attribute.Text text ? Sanitized.of(text.value()) : value.description()));
        }
        return zone;
    }

    /** Returns the event's id; null if the form has none or a part of it is missing. */
    private @Nullable String id(EventForm by) {
        String id = null;
        for (FormPath path : by.id()) {
            String part = label(path);
            if (part == null) {
                return null;
            }
            id = id == null ? part : id + " " + part;
        }
        return id;
    }

    private @Nullable Attribute attribute(FormSource source) {
        Attribute value = value(source.path());
        if (value == null || source.isAbsent(value)) {
            return source.otherwise();
        }
        return source.factor() == null ? value : product(source.path(), value, source.factor());
    }

    /** Returns a number times a factor, without rounding; null if it was rejected. */
    private @Nullable Attribute product(FormPath path, Attribute value, BigDecimal factor) {
        BigDecimal number = value.number();
        if (number == null) {
            values.reject(Reason.WRONG_FIELD_TYPE, path.text(),
                    "expected a number, or text that is one, found " + value.description());
            return null;
        }
        BigDecimal product = Decimals.fits(number) && number.signum() != 0 ? number.multiply(factor) : number;
        if (!Decimals.fits(product)) {
            values.rejectNumber(path.text());
            return null;
        }
        return new Attribute.Decimal(product.signum() == 0 ? BigDecimal.ZERO : product);
    }

    private @Nullable String label(FormPath path) {
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
        for (FormRequirement requirement : candidate.when()) {
            if (!holds(requirement)) {
                return false;
            }
        }
        return true;
    }

    private boolean holds(FormRequirement requirement) {
        return requirement.condition().holds(compared(requirement));
    }

    /** Returns the value that a condition is about. A duplicate field, or a number out of range, exists but equals nothing. */
    private @Nullable Attribute compared(FormRequirement requirement) {
        Object found = find(requirement.path());
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
        FormRequirement missed = nearest.when().stream().filter(requirement -> !holds(requirement)).findFirst().orElseThrow();
        Attribute value = compared(missed);
        String label = value == null ? null : value.label();
        return (forms.total == 1 ? ": " : "; the nearest is `" + nearest.type() + "`: ") + missed.path().text() + " is "
                + (value == null ? "missing" : label == null ? value.description() : Sanitized.of(label)) + ", expected "
                + missed.condition().expectation();
    }

    /** Returns the value at a path; null if it is missing or was rejected. */
    private @Nullable Attribute value(FormPath path) {
        Object found = find(path);
        if (found instanceof PathMiss miss) {
            values.reject(Reason.WRONG_FIELD_TYPE, path.text(), switch (miss) {
                case THROUGH_ARRAY -> "the path leads through an array: write [0] after its name for an array of one value, or "
                        + "read its elements with each";
                case MANY -> "expected an array of at most one value, found more";
                case NO_ARRAY -> "expected an array before [0], found another value";
            });
            return null;
        }
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

    private @Nullable Object find(FormPath path) {
        return path.find(path.up() == 0 ? root : parents.get(parents.size() - path.up()));
    }

    /** Whether a path may lead to a field of an object from which this number of arrays leads to those that forms read. */
    boolean isUsed(int arrays, String name) {
        return forms.used(arrays).names.contains(name);
    }

    /** Adds an object that has the array of the following objects, as yet without fields. */
    void enter() {
        parents.add(new HashMap<>());
        sizes.add(parentsSize);
        size = parentsSize;
    }

    /**
     * Reads a used field of the object that was added last.
     *
     * @param json positioned at its value
     * @param arrays how many arrays lead from the object to those that forms read
     */
    void parentField(JsonParser json, int arrays, String name) throws IOException {
        field(json, parents.get(parents.size() - 1), forms.used(arrays), 1, name);
        parentsSize = size;
    }

    /** Removes the object that was added last. */
    void leave() {
        parents.remove(parents.size() - 1);
        parentsSize = sizes.remove(sizes.size() - 1);
    }

    private Map<String, Object> object(JsonParser json, Used used, int depth) throws IOException {
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
            if (used.names.contains(name)) {
                field(json, fields, used, depth, name);
            } else {
                json.skipChildren();
            }
        }
        return fields;
    }

    private void field(JsonParser json, Map<String, Object> fields, Used used, int depth, String name) throws IOException {
        JsonToken token = json.currentToken();
        if (token == JsonToken.VALUE_NULL) {
            return;
        }
        Object value = token == JsonToken.START_ARRAY && used.arrays.contains(name) ? elements(json, used, depth)
                : read(json, used, depth, name);
        if (fields.put(name, value) != null) {
            fields.put(name, Unusable.TWICE);
        }
    }

    private Object read(JsonParser json, Used used, int depth, String name) throws IOException {
        JsonToken token = json.currentToken();
        Object value;
        if (token == JsonToken.START_OBJECT && depth < used.depth) {
            value = object(json, used, depth + 1);
        } else {
            Attribute read = values.attribute(json, token, "", name);
            value = read == null ? Unusable.BAD_NUMBER : read;
        }
        grow(value instanceof Attribute.Text text ? HeapSize.of(text.value()) : 0);
        return value;
    }

    private FormElements elements(JsonParser json, Used used, int depth) throws IOException {
        Object first = null;
        int length = 0;
        while (json.nextToken() != JsonToken.END_ARRAY) {
            if (length == 0 && json.currentToken() != JsonToken.VALUE_NULL) {
                first = read(json, used, depth, "[0]");
            } else {
                json.skipChildren();
            }
            length++;
        }
        return new FormElements(first, length);
    }

    private void grow(long text) {
        size += FIELD + text;
        if (size > taken) {
            long more = Math.max(size - taken, STEP);
            allowance.take(more);
            taken += more;
        }
    }

}
