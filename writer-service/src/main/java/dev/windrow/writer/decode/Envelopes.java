package dev.windrow.writer.decode;

import java.io.IOException;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;

import dev.windrow.base.Decimals;
import dev.windrow.base.Reason;
import dev.windrow.event.Attribute;

/**
 * The payload of an envelope: the {@code data} of a CloudEvent, or the {@code detail} of EventBridge. It holds either an
 * event's attributes or, if it has an object field {@code attributes}, an event of Windrow's own form, whose missing
 * fields are taken from the envelope. Which of the two it is, and so which errors it has, is known only at its end.
 */
final class Envelopes {

    /** The fields of an event of Windrow's own form. */
    private static final Set<String> EVENT_FIELDS = Set.of("type", "time", "id", "tenant", "count");

    private final String path;
    /** Fields that one of the two readings may use. */
    private final Map<String, Field> fields = new HashMap<>();
    private @Nullable ValueReader own;
    private @Nullable Map<String, Attribute> ownAttributes;

    /** A field. The value is null if out of range; {@code twice} is set if several fields have its name. */
    private record Field(@Nullable Attribute value, boolean twice) {
    }

    private Envelopes(String path) {
        this.path = path;
    }

    /** Reads a payload; returns null, and skips it, if it is no object. */
    static @Nullable Envelopes read(JsonParser json, ValueReader values, String path) throws IOException {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            json.skipChildren();
            return null;
        }
        Envelopes payload = new Envelopes(path);
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            payload.readField(json, values, name, json.nextToken());
        }
        return payload;
    }

    /** Reads the payload in a text; returns null if that is no object in Base64. */
    static @Nullable Envelopes readBase64(JsonParser json, ValueReader values) throws IOException {
        String path = "data_base64";
        String text = SnsNotification.text(json);
        if (text == null) {
            return null;
        }
        try {
            MessageBody body = MessageBody.ofUtf8(Base64.getDecoder().decode(text));
            if (body == null) {
                values.reject(Reason.INVALID_TEXT, path, "expected UTF-8 in Base64");
                return null;
            }
            try (JsonParser data = MessageBody.parser(body.utf8(), 0, body.length())) {
                Envelopes payload = data.nextToken() == null ? null : read(data, values, path);
                return data.nextToken() == null ? payload : null;
            }
        } catch (IllegalArgumentException | JsonProcessingException e) {
            values.reject(Reason.INVALID_ENVELOPE, path, "expected a JSON object in Base64");
            return null;
        }
    }

    private void readField(JsonParser json, ValueReader values, String name, JsonToken token) throws IOException {
        if (name.equals("attributes") && token == JsonToken.START_OBJECT) {
            ValueReader reader = values.fresh();
            if (own != null) {
                reader.reject(Reason.DUPLICATE_FIELD, path + ".attributes", "the field appears twice");
            }
            own = reader;
            ownAttributes = reader.attributes(json);
        } else if (token == JsonToken.VALUE_NULL || !(values.isUsed(name) || EVENT_FIELDS.contains(name))) {
            json.skipChildren();
        } else {
            Attribute value = values.fresh().attribute(json, token, "", name);
            fields.merge(name, new Field(value, false), (before, now) -> new Field(now.value, true));
        }
    }

    /** Returns the event's attributes; their errors are recorded in the values. */
    Map<String, Attribute> attributes(ValueReader values) {
        if (own != null && ownAttributes != null) {
            values.reject(own.rejection());
            return ownAttributes;
        }
        Map<String, Attribute> attributes = new HashMap<>();
        for (String name : fields.keySet()) {
            Attribute value = values.isUsed(name) ? checked(name, values) : null;
            if (value != null) {
                attributes.put(name, value);
            }
        }
        return attributes;
    }

    /** Returns a text field of an event of Windrow's own form, or else the envelope's value. */
    @Nullable
    String text(String name, @Nullable String envelope, ValueReader values) {
        Attribute value = field(name, values);
        if (value instanceof Attribute.Text text) {
            return text.value();
        }
        if (value instanceof Attribute.Decimal number && name.equals("id")) {
            return Decimals.canonical(number.value());
        }
        if (value != null) {
            values.reject(Reason.WRONG_FIELD_TYPE, name, "expected text");
        }
        return envelope;
    }

    /** Returns a field of an event of Windrow's own form; null if there is none. */
    @Nullable
    Attribute field(String name, ValueReader values) {
        return own == null ? null : checked(name, values);
    }

    private @Nullable Attribute checked(String name, ValueReader values) {
        Field field = fields.get(name);
        if (field == null) {
            return null;
        }
        if (field.twice) {
            values.reject(Reason.DUPLICATE_FIELD, path + "." + name, "the field appears twice");
        }
        if (field.value == null) {
            values.rejectNumber(path + "." + name);
        }
        return field.value;
    }

}
