package dev.windrow.writer.decode;

import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.dataset.Decimals;
import dev.windrow.dataset.Event;
import dev.windrow.dataset.Event.Attribute;
import dev.windrow.dataset.EventTimes;
import dev.windrow.dataset.Rfc3339Parser;
import dev.windrow.dataset.TenantNames;
import dev.windrow.writer.decode.Envelopes.SnsNotification;
import dev.windrow.writer.decode.EventCollector.RejectedEvent;
import dev.windrow.writer.decode.EventDecoder.Envelope;
import dev.windrow.writer.decode.EventDecoder.EventDefaults;

/**
 * Reads the events of one message one by one from a stream of JSON tokens: plain events, CloudEvents and EventBridge events,
 * recognized by fields that no other format has. Unknown top-level fields are skipped without parsing them, as producers
 * may send more than Windrow counts.
 */
final class EventReader {

    private final ValueReader values;
    private final EventDefaults hints;
    private final boolean mayBeNotification;
    private Envelope envelope = Envelope.PLAIN;

    private @Nullable String type;
    private @Nullable Instant time;
    private @Nullable String id;
    private @Nullable String tenant;
    private @Nullable Map<String, Attribute> attributes;
    private @Nullable Long count;

    private @Nullable String specVersion;
    private @Nullable String detailType;
    private @Nullable String source;
    private @Nullable Envelopes data;
    private @Nullable Envelopes detail;
    /** Errors in fields of envelopes, which other events may have for anything. */
    private @Nullable ValueReader outer;
    private @Nullable SnsNotification notification;

    /** @param mayBeNotification whether a value may be an SNS notification instead of an event */
    EventReader(Set<String> usedAttributes, EventDefaults hints, boolean mayBeNotification) {
        this.values = new ValueReader(usedAttributes);
        this.hints = hints;
        this.mayBeNotification = mayBeNotification;
    }

    /** Returns why {@link #read} returned null. */
    RejectedEvent rejection() {
        return Objects.requireNonNull(values.rejection());
    }

    /** Returns the type of the last event, even a rejected one; null if unknown. */
    @Nullable
    String type() {
        return type == null ? hints.type() : type;
    }

    /** Returns the envelope of the events read so far. */
    Envelope envelope() {
        return envelope;
    }

    /** Returns the SNS notification if the last value was one instead of an event; null otherwise. */
    @Nullable
    SnsNotification notification() {
        return notification != null && notification.isWhole() ? notification : null;
    }

    /**
     * Reads one value and consumes all of it, even if it is rejected.
     *
     * @param json positioned at the value's first token
     * @param isWhole whether the value is the whole text; only then can it be the data of a CloudEvent in binary mode
     * @return null if the event is rejected
     * @throws IOException if the text is not JSON
     */
    @Nullable
    Event read(JsonParser json, boolean isWhole) throws IOException {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            json.skipChildren();
            values.reject(Reason.NOT_AN_OBJECT, "event", "expected a JSON object");
            return null;
        }
        if (isWhole && hints.cloudEvent() != null) {
            readBinary(json, hints.cloudEvent());
        } else {
            while (json.nextToken() != JsonToken.END_OBJECT) {
                String field = json.currentName();
                json.nextToken();
                readField(json, field);
            }
        }
        if (specVersion != null || detailType != null) {
            unwrap();
        }
        return finish();
    }

    void start(int position) {
        values.start(position);
        type = null;
        time = null;
        id = null;
        tenant = null;
        attributes = null;
        count = null;
        specVersion = null;
        detailType = null;
        source = null;
        data = null;
        detail = null;
        outer = null;
        notification = null;
    }

    private void readField(JsonParser json, String field) throws IOException {
        switch (field) {
            case "type" -> type = once(field, type, values.text(json, field));
            case "time" -> time = once(field, time, values.time(json));
            case "id" -> id = once(field, id, values.id(json));
            case "tenant" -> tenant = once(field, tenant, values.text(json, field));
            case "count" -> count = once(field, count, values.count(json));
            case "attributes" -> attributes = once(field, attributes, values.attributes(json));
            case "specversion" -> specVersion = outerOnce(field, specVersion, SnsNotification.text(json));
            case "detail-type" -> detailType = outerOnce(field, detailType, SnsNotification.text(json));
            case "source" -> source = outerOnce(field, source, SnsNotification.text(json));
            case "data" -> data = outerOnce(field, data, Envelopes.read(json, values, field));
            case "data_base64" -> data = outerOnce(field, data, Envelopes.readBase64(json, outer()));
            case "detail" -> detail = outerOnce(field, detail, Envelopes.read(json, values, field));
            case "Type", "TopicArn", "Message", "MessageAttributes" -> {
                if (!mayBeNotification) {
                    json.skipChildren();
                    return;
                }
                notification = notification == null ? new SnsNotification() : notification;
                notification.readField(json, field);
            }
            default -> json.skipChildren();
        }
    }

    private <T> @Nullable T outerOnce(String field, @Nullable T before, @Nullable T value) {
        if (before != null) {
            outer().reject(Reason.DUPLICATE_FIELD, field, "the field appears twice");
        }
        return value;
    }

    private ValueReader outer() {
        ValueReader known = outer == null ? values.fresh() : outer;
        outer = known;
        return known;
    }

    private void readBinary(JsonParser json, Map<String, String> cloudEvent) throws IOException {
        specVersion = cloudEvent.get("specversion");
        type = cloudEvent.get("type");
        source = cloudEvent.get("source");
        id = cloudEvent.get("id");
        tenant = cloudEvent.get("tenant");
        String text = cloudEvent.get("time");
        time = text == null ? null : values.time(new Attribute.Text(text));
        data = Envelopes.read(json, values, "data");
    }

    /** Replaces the envelope's fields with those of the event in it. */
    private void unwrap() {
        boolean cloud = specVersion != null;
        envelope = cloud ? Envelope.CLOUDEVENTS : Envelope.EVENTBRIDGE;
        type = cloud ? type : detailType;
        Envelopes payload = cloud ? data : detail;
        if (outer != null) {
            values.reject(outer.rejection());
        }
        if (payload == null) {
            values.reject(Reason.INVALID_ENVELOPE, cloud ? "data" : "detail", "expected a JSON object");
            return;
        }
        // In CloudEvents, source and id together identify an event. An empty id counts as absent.
        boolean joined = cloud && id != null && !id.isEmpty() && source != null;
        String outerId = joined ? source + " " + id : id;
        Attribute innerType = payload.field("type", values);
        if (type == null || innerType == null || innerType.equals(new Attribute.Text(type))) {
            type = payload.text("type", type, values);
            id = payload.text("id", outerId, values);
        } else {
            // A payload of another type is a document (JSON:API) that only looks like an event: the envelope identifies it.
            id = outerId;
        }
        tenant = payload.text("tenant", tenant, values);
        attributes = payload.attributes(values);
        Attribute inner = payload.field("time", values);
        if (inner != null) {
            time = values.time(inner);
        }
        Attribute innerCount = payload.field("count", values);
        if (innerCount != null) {
            count = values.count(innerCount);
        }
    }

    private @Nullable Event finish() {
        String eventType = type();
        String owner = tenant == null ? hints.tenant() : tenant;
        if (values.rejection() != null) {
            return null;
        }
        if (eventType == null) {
            values.reject(Reason.MISSING_FIELD, "type", "expected the event's type");
            return null;
        }
        if (time == null && specVersion != null) {
            // CloudEvents may lack a time.
            time = hints.sent();
        }
        if (time == null) {
            values.reject(Reason.MISSING_FIELD, "time", "expected the event's time, such as 2026-11-20T10:31:32Z");
            return null;
        }
        if (!TenantNames.isValid(owner)) {
            values.reject(Reason.INVALID_TENANT, "tenant", "expected " + TenantNames.EXPECTED);
            return null;
        }
        return new Event(eventType, time, id, owner, attributes == null ? Map.of() : attributes, count == null ? 1 : count);
    }

    private <T> @Nullable T once(String field, @Nullable T before, @Nullable T value) {
        if (before != null) {
            values.reject(Reason.DUPLICATE_FIELD, field, "the field appears twice");
        }
        return value;
    }

    /**
     * Reads single values of events. For an invalid value it records the error and returns null instead of throwing, as
     * invalid events may arrive at a high rate. Only the first error of an event is reported.
     */
    static final class ValueReader {

        /** Maximum length of a number in characters: 38 digits and 130 zeros fit, and parsing time stays bounded. */
        private static final int MAX_NUMBER = 1_000;
        private static final int SURELY_LONG = 18;
        /** Low enough that the counts of all events that fit in memory cannot overflow a long. */
        private static final BigDecimal MAX_COUNT = BigDecimal.valueOf(1_000_000_000L);
        private static final String COUNT = "a whole number from -1000000000 to 1000000000, not 0";
        private static final Attribute TRUE = new Attribute.Flag(true);
        private static final Attribute FALSE = new Attribute.Flag(false);
        private static final Attribute NESTED = new Attribute.Nested();

        private final Set<String> usedAttributes;
        private final Rfc3339Parser times = new Rfc3339Parser();
        private int index;
        private @Nullable RejectedEvent rejection;

        ValueReader(Set<String> usedAttributes) {
            this.usedAttributes = usedAttributes;
        }

        void start(int position) {
            index = position;
            rejection = null;
        }

        /** Returns the first error of the event; null if there is none. */
        @Nullable
        RejectedEvent rejection() {
            return rejection;
        }

        void reject(Reason reason, String field, String detail) {
            if (rejection == null) {
                rejection = new RejectedEvent(index, reason, field, detail);
            }
        }

        /** Records the error that another reader found in the event; null for none. */
        void reject(@Nullable RejectedEvent other) {
            if (rejection == null) {
                rejection = other;
            }
        }

        /** Records a number that is too large, too small or too long. */
        void rejectNumber(String field) {
            reject(Reason.NUMBER_OUT_OF_RANGE, field, "expected " + Decimals.EXPECTED);
        }

        /** Creates a reader for a part of the event whose errors may turn out not to matter. */
        ValueReader fresh() {
            ValueReader fresh = new ValueReader(usedAttributes);
            fresh.start(index);
            return fresh;
        }

        /** Whether a dataset uses an attribute of this name. */
        boolean isUsed(String attribute) {
            return usedAttributes.contains(attribute);
        }

        @Nullable
        String text(JsonParser json, String field) throws IOException {
            if (json.currentToken() == JsonToken.VALUE_STRING) {
                return json.getText();
            }
            wrongType(json, field, "text");
            return null;
        }

        @Nullable
        Instant time(JsonParser json) throws IOException {
            if (json.currentToken() == JsonToken.VALUE_STRING) {
                String text = json.getText();
                Instant common = times.parse(text);
                return common != null ? common : time(new Attribute.Text(text));
            }
            Attribute value = attribute(json, json.currentToken(), "", "time");
            return value == null ? null : time(value);
        }

        /** Parses a time in the most common format; returns null for other formats, which {@link EventTimes} may know. */
        @Nullable
        Instant commonTime(String text) {
            return times.parse(text);
        }

        @Nullable
        Instant time(Attribute value) {
            try {
                if (value instanceof Attribute.Text text) {
                    return EventTimes.parse("time", text.value());
                }
                if (value instanceof Attribute.Decimal seconds) {
                    return EventTimes.ofEpoch("time", seconds.value());
                }
                reject(Reason.WRONG_FIELD_TYPE, "time", "expected text such as 2026-11-20T10:31:32Z, or a number since 1970");
            } catch (InvalidInputException e) {
                reject(e.reason(), "time", String.valueOf(e.getMessage()).substring("time: ".length()));
            }
            return null;
        }

        /** Reads an id. A number is converted to text, as in labels. */
        @Nullable
        String id(JsonParser json) throws IOException {
            if (!json.currentToken().isNumeric()) {
                return text(json, "id");
            }
            BigDecimal number = number(json, "", "id");
            return number == null ? null : Decimals.canonical(number);
        }

        @Nullable
        Long count(JsonParser json) throws IOException {
            JsonToken token = json.currentToken();
            if (!token.isNumeric()) {
                wrongType(json, "count", COUNT);
                return null;
            }
            BigDecimal number = json.getTextLength() > MAX_NUMBER ? null : decimal(json);
            return count(number == null ? NESTED : new Attribute.Decimal(number));
        }

        /** Converts an attribute to a count: a whole number in any notation, including {@code 1.0} and {@code 1e0}. */
        @Nullable
        Long count(Attribute value) {
            if (value instanceof Attribute.Decimal number && number.value().signum() != 0
                    && number.value().abs().compareTo(MAX_COUNT) <= 0
                    && number.value().stripTrailingZeros().scale() <= 0) {
                return number.value().longValue();
            }
            reject(Reason.WRONG_FIELD_TYPE, "count", "expected " + COUNT);
            return null;
        }

        /** Reads the attributes that some dataset uses and skips the others. */
        @Nullable
        Map<String, Attribute> attributes(JsonParser json) throws IOException {
            if (json.currentToken() != JsonToken.START_OBJECT) {
                wrongType(json, "attributes", "an object");
                return null;
            }
            Map<String, Attribute> read = new HashMap<>();
            while (json.nextToken() != JsonToken.END_OBJECT) {
                String name = json.currentName();
                JsonToken token = json.nextToken();
                if (usedAttributes.contains(name)) {
                    Attribute value = attribute(json, token, "attributes.", name);
                    // JSON null counts as an absent attribute.
                    if (value != null && read.put(name, value) != null) {
                        reject(Reason.DUPLICATE_FIELD, "attributes." + name, "the attribute appears twice");
                    }
                } else {
                    json.skipChildren();
                }
            }
            return read;
        }

        /** Reads a value; null for JSON null or a number out of range. The path is that of its object, with a trailing dot. */
        @Nullable
        Attribute attribute(JsonParser json, JsonToken token, String path, String name) throws IOException {
            if (token == JsonToken.VALUE_STRING) {
                return new Attribute.Text(json.getText());
            }
            if (token.isNumeric()) {
                BigDecimal number = number(json, path, name);
                return number == null ? null : new Attribute.Decimal(number);
            }
            if (token.isBoolean()) {
                return token == JsonToken.VALUE_TRUE ? TRUE : FALSE;
            }
            if (token == JsonToken.VALUE_NULL) {
                return null;
            }
            json.skipChildren();
            return NESTED;
        }

        private @Nullable BigDecimal number(JsonParser json, String path, String name) throws IOException {
            if (json.getTextLength() <= MAX_NUMBER) {
                BigDecimal number = decimal(json);
                if (number != null && Decimals.fits(number)) {
                    // A zero fits with any exponent, but adding to 0e-999999999 would need a billion digits.
                    return number.signum() == 0 ? BigDecimal.ZERO : number;
                }
            }
            rejectNumber(path + name);
            return null;
        }

        /** Returns the number, or null if its exponent is out of a decimal's range. */
        private static @Nullable BigDecimal decimal(JsonParser json) throws IOException {
            if (json.currentToken() == JsonToken.VALUE_NUMBER_INT && json.getTextLength() <= SURELY_LONG) {
                return BigDecimal.valueOf(json.getLongValue());
            }
            try {
                return json.getDecimalValue();
            } catch (NumberFormatException exponent) {
                return null;
            }
        }

        private void wrongType(JsonParser json, String field, String expected) throws IOException {
            JsonToken token = json.currentToken();
            json.skipChildren();
            // JSON null counts as an absent field; if the field is required, it is reported as missing later.
            if (token != JsonToken.VALUE_NULL) {
                reject(Reason.WRONG_FIELD_TYPE, field, "expected " + expected);
            }
        }
    }
}
