package dev.windrow.writer.decode;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

import dev.windrow.event.Attribute;

/**
 * What an envelope carries: the {@code data} of a CloudEvent, or the {@code detail} of EventBridge. It is either an
 * event's attributes or, if it has a field {@code attributes} that is an object, an event of Windrow's own form, whose
 * missing fields are taken from the envelope.
 *
 * @param fields its values
 * @param attributes the attributes of an event of Windrow's own form; null if it has another form
 */
record Payload(Map<String, Attribute> fields, @Nullable Map<String, Attribute> attributes) {

    /** Reads a payload; null, with nothing read, if it is no object. */
    static @Nullable Payload read(JsonParser json, ValueReader values, String path) throws IOException {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            json.skipChildren();
            return null;
        }
        Map<String, Attribute> fields = new HashMap<>();
        Map<String, Attribute> attributes = null;
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            JsonToken token = json.nextToken();
            if (name.equals("attributes") && token == JsonToken.START_OBJECT) {
                attributes = values.attributes(json);
            } else {
                values.put(fields, path, name, values.attribute(json, path, name, token));
            }
        }
        return new Payload(fields, attributes);
    }

    /** The attributes of the event it stands for. */
    Map<String, Attribute> eventAttributes() {
        return attributes == null ? fields : attributes;
    }

    /** A text field of an event of Windrow's own form, or else what the envelope says. */
    @Nullable
    String text(String field, @Nullable String envelope) {
        return attributes != null && fields.get(field) instanceof Attribute.Text text ? text.value() : envelope;
    }

    /** A field of an event of Windrow's own form; null if it has none. */
    @Nullable
    Attribute field(String field) {
        return attributes == null ? null : fields.get(field);
    }
}
