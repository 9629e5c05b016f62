package dev.windrow.writer.decode;

import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

import dev.windrow.event.Attribute;
import dev.windrow.event.Event;
import dev.windrow.event.Tenants;
import dev.windrow.measure.Decimals;
import dev.windrow.reason.Reason;
import dev.windrow.reason.ReasonedException;
import dev.windrow.time.EventTimes;

/**
 * Reads the events of one message, one after the other, from a stream of JSON tokens. Attributes that no dataset uses are
 * skipped unread, as are top-level fields that the contract does not know: producers may carry more than is counted. A
 * wrong field is noted and the rest of the event skipped, without an exception: bad events may come at any rate.
 */
final class EventReader {

    /** Longest number read, in characters: 38 digits and 130 zeros fit with ease, and reading takes bounded time. */
    private static final int LONGEST_NUMBER = 1_000;
    /** Bounds the sum of counts of whatever fits into memory well below what a long holds. */
    private static final long LARGEST_COUNT = 1_000_000_000L;
    private static final Attribute TRUE = new Attribute.Flag(true);
    private static final Attribute FALSE = new Attribute.Flag(false);
    private static final Attribute NESTED = new Attribute.Nested();

    private final Set<String> usedAttributes;
    private final Hints hints;

    private int index;
    private @Nullable String type;
    private @Nullable Instant time;
    private @Nullable String id;
    private @Nullable String tenant;
    private @Nullable Map<String, Attribute> attributes;
    private @Nullable Long count;
    private @Nullable Rejection rejection;

    EventReader(Set<String> usedAttributes, Hints hints) {
        this.usedAttributes = usedAttributes;
        this.hints = hints;
    }

    /** Why {@link #read} gave null. */
    Rejection rejection() {
        if (rejection == null) {
            throw new IllegalStateException("the last event was not rejected");
        }
        return rejection;
    }

    /**
     * Reads one value, which is consumed whole either way.
     *
     * @param json stands at the value's first token
     * @return null if the event is rejected
     * @throws IOException if the text is not JSON
     */
    @Nullable
    Event read(JsonParser json, int position) throws IOException {
        start(position);
        if (json.currentToken() != JsonToken.START_OBJECT) {
            json.skipChildren();
            reject(Reason.NOT_AN_OBJECT, "event", "expected a JSON object");
            return null;
        }
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String field = json.currentName();
            json.nextToken();
            readField(json, field);
        }
        return finish();
    }

    private void start(int position) {
        index = position;
        type = null;
        time = null;
        id = null;
        tenant = null;
        attributes = null;
        count = null;
        rejection = null;
    }

    private void readField(JsonParser json, String field) throws IOException {
        switch (field) {
            case "type" -> type = once(field, type, text(json, field));
            case "time" -> time = once(field, time, time(json));
            case "id" -> id = once(field, id, text(json, field));
            case "tenant" -> tenant = once(field, tenant, text(json, field));
            case "count" -> count = once(field, count, count(json));
            case "attributes" -> attributes = once(field, attributes, attributes(json));
            default -> json.skipChildren();
        }
    }

    private @Nullable Event finish() {
        String eventType = type == null ? hints.type() : type;
        String owner = tenant == null ? hints.tenant() : tenant;
        if (rejection != null) {
            return null;
        }
        if (eventType == null) {
            reject(Reason.MISSING_FIELD, "type", "expected the event's type");
            return null;
        }
        if (time == null) {
            reject(Reason.MISSING_FIELD, "time", "expected the event's time, such as 2026-11-20T10:31:32Z");
            return null;
        }
        if (!Tenants.isValid(owner)) {
            reject(Reason.INVALID_TENANT, "tenant", "expected " + Tenants.EXPECTED);
            return null;
        }
        return new Event(eventType, time, id, owner, attributes == null ? Map.of() : attributes,
                count == null ? 1 : count);
    }

    private <T> @Nullable T once(String field, @Nullable T before, @Nullable T value) {
        if (before != null) {
            reject(Reason.DUPLICATE_FIELD, field, "expected the field once");
        }
        return value;
    }

    private @Nullable String text(JsonParser json, String field) throws IOException {
        if (json.currentToken() == JsonToken.VALUE_STRING) {
            return json.getText();
        }
        wrongType(json, field, "text");
        return null;
    }

    private @Nullable Instant time(JsonParser json) throws IOException {
        JsonToken token = json.currentToken();
        try {
            if (token == JsonToken.VALUE_STRING) {
                Instant common = TimeText.parse(json.getTextCharacters(), json.getTextOffset(), json.getTextLength());
                return common != null ? common : EventTimes.parse("time", json.getText());
            }
            if (token.isNumeric()) {
                BigDecimal seconds = number(json, "time");
                return seconds == null ? null : EventTimes.ofEpochSeconds("time", seconds);
            }
            wrongType(json, "time", "text such as 2026-11-20T10:31:32Z, or seconds since 1970");
        } catch (ReasonedException e) {
            reject(e.reason(), "time", String.valueOf(e.getMessage()).substring("time: ".length()));
        }
        return null;
    }

    private @Nullable Long count(JsonParser json) throws IOException {
        if (json.currentToken() == JsonToken.VALUE_NUMBER_INT && json.getTextLength() <= 11) {
            long number = json.getLongValue();
            if (number != 0 && Math.abs(number) <= LARGEST_COUNT) {
                return number;
            }
        }
        wrongType(json, "count", "a whole number from -1000000000 to 1000000000, not 0");
        return null;
    }

    private @Nullable Map<String, Attribute> attributes(JsonParser json) throws IOException {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            wrongType(json, "attributes", "an object");
            return null;
        }
        Map<String, Attribute> read = new HashMap<>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            JsonToken token = json.nextToken();
            if (!usedAttributes.contains(name)) {
                json.skipChildren();
            } else if (token != JsonToken.VALUE_NULL) {
                Attribute value = attribute(json, name, token);
                if (value != null && read.put(name, value) != null) {
                    reject(Reason.DUPLICATE_FIELD, "attributes." + name, "expected the attribute once");
                }
            }
        }
        return read;
    }

    private @Nullable Attribute attribute(JsonParser json, String name, JsonToken token) throws IOException {
        if (token == JsonToken.VALUE_STRING) {
            return new Attribute.Text(json.getText());
        }
        if (token.isNumeric()) {
            BigDecimal number = number(json, "attributes." + name);
            return number == null ? null : new Attribute.Decimal(number);
        }
        if (token.isBoolean()) {
            return token == JsonToken.VALUE_TRUE ? TRUE : FALSE;
        }
        json.skipChildren();
        return NESTED;
    }

    private @Nullable BigDecimal number(JsonParser json, String field) throws IOException {
        if (json.getTextLength() <= LONGEST_NUMBER) {
            boolean small = json.currentToken() == JsonToken.VALUE_NUMBER_INT && json.getTextLength() <= 18;
            BigDecimal number = small ? BigDecimal.valueOf(json.getLongValue()) : json.getDecimalValue();
            if (Decimals.fits(number)) {
                return number;
            }
        }
        reject(Reason.NUMBER_OUT_OF_RANGE, field, "expected a number of at most 38 digits between 1E-130 and 9.99E+125");
        return null;
    }

    private void wrongType(JsonParser json, String field, String expected) throws IOException {
        JsonToken token = json.currentToken();
        json.skipChildren();
        // A null is an absent field: what is required will be missed in the end.
        if (token != JsonToken.VALUE_NULL) {
            reject(Reason.WRONG_FIELD_TYPE, field, "expected " + expected);
        }
    }

    /** The first thing wrong is told. */
    private void reject(Reason reason, String field, String detail) {
        if (rejection == null) {
            rejection = new Rejection(index, reason, field, detail);
        }
    }
}
