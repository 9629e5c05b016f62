package dev.windrow.writer.decode;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.Event;
import dev.windrow.dataset.Event.Attribute;
import dev.windrow.dataset.TenantNames;

/**
 * Parses texts in which every event is valid, in Windrow's own form and in its usual spelling: flat attributes, times in
 * UTC, no escapes. On anything else the general reader, which takes more than twice as long, takes over for the whole
 * text, so that both accept and reject the same events with the same messages.
 */
final class FastEventParser {

    private static final Attribute TRUE = new Attribute.Flag(true);
    private static final Attribute FALSE = new Attribute.Flag(false);
    private static final FieldName TYPE = new FieldName("type");
    private static final FieldName TIME = new FieldName("time");
    private static final FieldName ID = new FieldName("id");
    private static final FieldName TENANT = new FieldName("tenant");
    private static final FieldName ATTRIBUTES = new FieldName("attributes");
    private static final byte[] TRUE_WORD = "true".getBytes(UTF_8);
    private static final byte[] FALSE_WORD = "false".getBytes(UTF_8);
    private static final byte[] NULL_WORD = "null".getBytes(UTF_8);

    private final byte[] text;
    private final int start;
    private final FastJsonScanner json;
    private final UsedAttributes used;
    private final StringInterner texts;
    private final Rfc3339Parser times = new Rfc3339Parser();
    private final EventDefaults hints;
    private final EventCollector collector;

    private @Nullable String type;
    private @Nullable Instant time;
    private @Nullable String id;
    private @Nullable String tenant;
    private @Nullable Map<String, Attribute> attributes;

    /**
     * @param text well-formed UTF-8
     * @param start where in it the text begins
     */
    FastEventParser(byte[] text, int start, UsedAttributes used, StringInterner texts, EventDefaults hints,
            EventCollector collector) {
        this.text = text;
        this.start = start;
        this.json = new FastJsonScanner(text, start);
        this.used = used;
        this.texts = texts;
        this.hints = hints;
        this.collector = collector;
    }

    /** Reads all events; returns false, perhaps after some, at anything that only the general reader understands. */
    boolean read(BodyKind kind) {
        return switch (kind) {
            case ARRAY -> array();
            case OBJECT -> object();
            case LINES -> lines();
        };
    }

    private boolean object() {
        Event event = event();
        if (event == null || !json.isAtEnd()) {
            return false;
        }
        collector.good(RejectedEvent.WHOLE, event, text, start, text.length);
        return true;
    }

    private boolean array() {
        json.pass('[');
        int index = 0;
        do {
            int from = json.position();
            Event event = event();
            if (event == null) {
                return false;
            }
            collector.good(index++, event, text, from, json.position());
        } while (json.passedComma(']'));
        return json.isSure() && json.isAtEnd();
    }

    private boolean lines() {
        int line = 0;
        for (int from = start; from < text.length; line++) {
            int to = BodyKind.lineEnd(text, from);
            json.narrow(from, to);
            if (!json.isAtEnd()) {
                Event event = event();
                if (event == null || !json.isAtEnd()) {
                    return false;
                }
                collector.good(line, event, text, from, to);
            }
            from = to + 1;
        }
        return true;
    }

    private @Nullable Event event() {
        type = null;
        time = null;
        id = null;
        tenant = null;
        attributes = null;
        json.pass('{');
        do {
            field();
        } while (json.isSure() && json.passedComma('}'));
        String eventType = type == null ? hints.type() : type;
        String owner = tenant == null ? hints.tenant() : tenant;
        if (!json.isSure() || eventType == null || time == null || !TenantNames.isValid(owner)) {
            return null;
        }
        return new Event(eventType, time, id, owner, attributes == null ? Map.of() : attributes, 1);
    }

    /** A duplicate, unknown or oddly spelled field is left to the general reader. */
    private void field() {
        json.skipBlank();
        if (type == null && json.passed(TYPE)) {
            type = string();
        } else if (time == null && json.passed(TIME)) {
            json.passText();
            time = json.isSure() ? times.parse(text, json.from(), json.to() - json.from()) : null;
            if (time == null) {
                json.giveUp();
            }
        } else if (attributes == null && json.passed(ATTRIBUTES)) {
            attributes = attributes();
        } else if (id == null && json.passed(ID)) {
            id = rareString();
        } else if (tenant == null && json.passed(TENANT)) {
            tenant = string();
        } else {
            json.giveUp();
        }
    }

    private @Nullable String string() {
        return passedString() ? texts.of(text, json.from(), json.to(), json.hash()) : null;
    }

    /** One that hardly repeats. */
    private @Nullable String rareString() {
        return passedString() ? new String(text, json.from(), json.to() - json.from(), UTF_8) : null;
    }

    private boolean passedString() {
        json.passText();
        if (json.to() - json.from() > Json.MAX_VALUE) {
            json.giveUp();
        }
        return json.isSure();
    }

    private Map<String, Attribute> attributes() {
        SmallAttributeMap read = new SmallAttributeMap();
        json.pass('{');
        if (json.passed('}')) {
            return Map.of();
        }
        do {
            String name = used.passed(json);
            if (name == null) {
                unusedName();
            }
            Attribute value = value(name != null);
            if (name != null && value != null && !read.add(name, value)) {
                json.giveUp();
            }
        } while (json.isSure() && json.passedComma('}'));
        return read;
    }

    /** Gives up at an unusual spelling, which might be that of a used name. */
    private void unusedName() {
        json.passText();
        if (json.to() - json.from() > UsedAttributes.MAX_PLAIN_BYTES || !json.passedAtOnce(':')) {
            json.giveUp();
        }
    }

    /** A value; null if it is null, or not wanted. */
    private @Nullable Attribute value(boolean wanted) {
        byte first = json.peek();
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
            return wanted ? new Attribute.Decimal(number) : null;
        }
        if (json.passedWord(TRUE_WORD)) {
            return TRUE;
        }
        if (json.passedWord(FALSE_WORD)) {
            return FALSE;
        }
        if (!json.passedWord(NULL_WORD)) {
            json.giveUp();
        }
        return null;
    }
}
