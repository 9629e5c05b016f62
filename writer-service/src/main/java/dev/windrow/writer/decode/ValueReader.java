package dev.windrow.writer.decode;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.dataset.Decimals;
import dev.windrow.dataset.Event.Attribute;
import dev.windrow.dataset.EventTimes;

/**
 * Reads single values of events. An invalid one is recorded, and null returned, without an exception: invalid events may
 * arrive at any rate. Of several errors in an event the first is reported.
 */
final class ValueReader {

    /** Maximum length of a number, in characters: 38 digits and 130 zeros fit, and parsing time is bounded. */
    private static final int MAX_NUMBER = 1_000;
    private static final int SURELY_LONG = 18;
    /** Bounds the sum of counts of whatever fits into memory well below what a long holds. */
    private static final long MAX_COUNT = 1_000_000_000L;
    private static final String COUNT = "a whole number from -1000000000 to 1000000000, not 0";
    private static final Attribute TRUE = new Attribute.Flag(true);
    private static final Attribute FALSE = new Attribute.Flag(false);
    private static final Attribute NESTED = new Attribute.Nested();

    private final UsedAttributes usedAttributes;
    private final Rfc3339Parser times = new Rfc3339Parser();
    private int index;
    private @Nullable RejectedEvent rejection;

    ValueReader(UsedAttributes usedAttributes) {
        this.usedAttributes = usedAttributes;
    }

    /** Starts a new event. */
    void start(int position) {
        index = position;
        rejection = null;
    }

    /** The first thing wrong with the event; null if nothing is. */
    @Nullable
    RejectedEvent rejection() {
        return rejection;
    }

    void reject(Reason reason, String field, String detail) {
        if (rejection == null) {
            rejection = new RejectedEvent(index, reason, field, detail);
        }
    }

    /** Notes what another reader found wrong with the event; null for nothing. */
    void reject(@Nullable RejectedEvent other) {
        if (rejection == null) {
            rejection = other;
        }
    }

    /** Notes a number that is too large, too small or too long. */
    void rejectNumber(String field) {
        reject(Reason.NUMBER_OUT_OF_RANGE, field, "expected " + Decimals.EXPECTED);
    }

    /** A reader for a part of the event of which it is not known yet whether it matters. */
    ValueReader fresh() {
        ValueReader fresh = new ValueReader(usedAttributes);
        fresh.start(index);
        return fresh;
    }

    /** Whether some dataset uses an attribute of that name. */
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
        JsonToken token = json.currentToken();
        if (token == JsonToken.VALUE_STRING) {
            String text = json.getText();
            byte[] utf8 = text.getBytes(UTF_8);
            Instant common = times.parse(utf8, 0, utf8.length);
            return common != null ? common : time(new Attribute.Text(text));
        }
        if (token.isNumeric()) {
            BigDecimal seconds = number(json, "time");
            return seconds == null ? null : time(new Attribute.Decimal(seconds));
        }
        wrongType(json, "time", "text such as 2026-11-20T10:31:32Z, or seconds since 1970");
        return null;
    }

    /** A time that was read as an attribute. */
    @Nullable
    Instant time(Attribute value) {
        try {
            if (value instanceof Attribute.Text text) {
                return EventTimes.parse("time", text.value());
            }
            if (value instanceof Attribute.Decimal seconds) {
                return EventTimes.ofEpochSeconds("time", seconds.value());
            }
            reject(Reason.WRONG_FIELD_TYPE, "time", "expected text such as 2026-11-20T10:31:32Z, or seconds since 1970");
        } catch (InvalidInputException e) {
            reject(e.reason(), "time", String.valueOf(e.getMessage()).substring("time: ".length()));
        }
        return null;
    }

    @Nullable
    Long count(JsonParser json) throws IOException {
        if (json.currentToken() == JsonToken.VALUE_NUMBER_INT && json.getTextLength() <= SURELY_LONG) {
            long number = json.getLongValue();
            if (isCount(number)) {
                return number;
            }
        }
        wrongType(json, "count", COUNT);
        return null;
    }

    /** A count that was read as an attribute. */
    @Nullable
    Long count(Attribute value) {
        if (value instanceof Attribute.Decimal number && number.value().scale() == 0
                && number.value().precision() <= SURELY_LONG && isCount(number.value().longValue())) {
            return number.value().longValue();
        }
        reject(Reason.WRONG_FIELD_TYPE, "count", "expected " + COUNT);
        return null;
    }

    private static boolean isCount(long number) {
        return number != 0 && Math.abs(number) <= MAX_COUNT;
    }

    /** The attributes that some dataset uses; others are skipped unread. */
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
                Attribute value = attribute(json, "attributes." + name, token);
                // A null is an absent attribute.
                if (value != null && read.put(name, value) != null) {
                    reject(Reason.DUPLICATE_FIELD, "attributes." + name, "expected the attribute once");
                }
            } else {
                json.skipChildren();
            }
        }
        return read;
    }

    @Nullable
    Attribute attribute(JsonParser json, String field, JsonToken token) throws IOException {
        if (token == JsonToken.VALUE_STRING) {
            return new Attribute.Text(json.getText());
        }
        if (token.isNumeric()) {
            BigDecimal number = number(json, field);
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

    private @Nullable BigDecimal number(JsonParser json, String field) throws IOException {
        if (json.getTextLength() <= MAX_NUMBER) {
            BigDecimal number = decimal(json);
            if (number != null && Decimals.fits(number)) {
                // Whatever its exponent, a zero fits: adding to 0e-999999999 would need a billion digits.
                return number.signum() == 0 ? BigDecimal.ZERO : number;
            }
        }
        rejectNumber(field);
        return null;
    }

    /** The number, or null if its exponent is beyond what a decimal can have. */
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
        // A null is an absent field: what is required will be missed in the end.
        if (token != JsonToken.VALUE_NULL) {
            reject(Reason.WRONG_FIELD_TYPE, field, "expected " + expected);
        }
    }
}
