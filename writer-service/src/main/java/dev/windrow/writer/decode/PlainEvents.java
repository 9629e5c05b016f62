package dev.windrow.writer.decode;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.windrow.event.Attribute;
import dev.windrow.event.Event;
import dev.windrow.event.Tenants;

/**
 * Reads texts in which every event is a good one of Windrow's own form, spelled as most producers spell it: flat
 * attributes, times in UTC, no escapes. It takes half the time of the general reader, which takes over for the whole text
 * where anything else is met, so that what is accepted, and what is said of what is not, is the same.
 */
final class PlainEvents {

    private static final int LONGEST_NAME = 256;
    private static final int USUAL_EVENTS = 128;
    private static final Attribute TRUE = new Attribute.Flag(true);
    private static final Attribute FALSE = new Attribute.Flag(false);

    private final char[] text;
    private final PlainText json;
    private final UsedAttributes used;
    private final KnownTexts texts;
    private final Hints hints;

    private @Nullable String type;
    private @Nullable Instant time;
    private @Nullable String id;
    private @Nullable String tenant;
    private @Nullable Map<String, Attribute> attributes;

    PlainEvents(char[] text, UsedAttributes used, KnownTexts texts, Hints hints) {
        this.text = text;
        this.json = new PlainText(text);
        this.used = used;
        this.texts = texts;
        this.hints = hints;
    }

    /** All events, or null if anything was met that only the general reader knows. */
    @Nullable
    List<DecodedEvent> read(BodyKind kind) {
        return switch (kind) {
            case ARRAY -> array();
            case OBJECT -> object();
            // Lines are good or bad each for itself.
            case LINES -> null;
        };
    }

    private @Nullable List<DecodedEvent> object() {
        Event event = event();
        return event == null || !json.isAtEnd() ? null : List.of(new DecodedEvent(Rejection.WHOLE, event));
    }

    private @Nullable List<DecodedEvent> array() {
        List<DecodedEvent> events = new ArrayList<>(USUAL_EVENTS);
        json.pass('[');
        do {
            Event event = event();
            if (event == null) {
                return null;
            }
            events.add(new DecodedEvent(events.size(), event));
        } while (json.passed(','));
        json.pass(']');
        return json.isSure() && json.isAtEnd() ? events : null;
    }

    private @Nullable Event event() {
        type = null;
        time = null;
        id = null;
        tenant = null;
        attributes = null;
        json.pass('{');
        do {
            json.passText();
            int from = json.from();
            int to = json.to();
            json.pass(':');
            if (json.isSure()) {
                field(from, to);
            }
        } while (json.isSure() && json.passed(','));
        json.pass('}');
        String eventType = type == null ? hints.type() : type;
        String owner = tenant == null ? hints.tenant() : tenant;
        if (!json.isSure() || eventType == null || time == null || !Tenants.isValid(owner)) {
            return null;
        }
        return new Event(eventType, time, id, owner, attributes == null ? Map.of() : attributes, 1);
    }

    /** A field that stands twice, or is another than these, is left to the general reader. */
    private void field(int from, int to) {
        if (type == null && isName("type", from, to)) {
            type = string();
        } else if (time == null && isName("time", from, to)) {
            json.passText();
            time = json.isSure() ? TimeText.parse(text, json.from(), json.to() - json.from()) : null;
            if (time == null) {
                json.giveUp();
            }
        } else if (attributes == null && isName("attributes", from, to)) {
            attributes = attributes();
        } else if (id == null && isName("id", from, to)) {
            id = string();
        } else if (tenant == null && isName("tenant", from, to)) {
            tenant = string();
        } else {
            json.giveUp();
        }
    }

    private boolean isName(String name, int from, int to) {
        return UsedAttributes.isSame(name, text, from, to);
    }

    private @Nullable String string() {
        json.passText();
        return json.isSure() ? texts.of(text, json.from(), json.to() - json.from()) : null;
    }

    private Map<String, Attribute> attributes() {
        Map<String, Attribute> read = new HashMap<>(2 * used.size());
        json.pass('{');
        if (json.passed('}')) {
            return read;
        }
        do {
            json.passText();
            int from = json.from();
            int to = json.to();
            json.pass(':');
            if (!json.isSure() || to - from > LONGEST_NAME) {
                json.giveUp();
                return read;
            }
            String name = used.at(text, from, to);
            Attribute value = value(name != null);
            if (name != null && value != null && read.put(name, value) != null) {
                json.giveUp();
            }
        } while (json.isSure() && json.passed(','));
        json.pass('}');
        return read;
    }

    /** A value; null if it is null, or not wanted. */
    private @Nullable Attribute value(boolean wanted) {
        char first = json.peek();
        if (first == '"') {
            if (wanted) {
                String string = string();
                return string == null ? null : new Attribute.Text(string);
            }
            json.passText();
            return null;
        }
        if (first == '-' || (first >= '0' && first <= '9')) {
            BigDecimal number = json.number();
            return new Attribute.Decimal(number);
        }
        if (json.passedWord("true")) {
            return TRUE;
        }
        if (json.passedWord("false")) {
            return FALSE;
        }
        if (!json.passedWord("null")) {
            json.giveUp();
        }
        return null;
    }
}
