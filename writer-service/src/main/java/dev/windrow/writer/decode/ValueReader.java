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

import dev.windrow.base.Decimals;
import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.event.Attribute;
import dev.windrow.time.EventTimes;
import dev.windrow.time.Rfc3339Parser;

/**
 * Reads single values of events. For an invalid value it records the error and returns null instead of throwing, as
 * invalid events may arrive at a high rate. Only the first error of an event is reported.
 */
final class ValueReader {

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
