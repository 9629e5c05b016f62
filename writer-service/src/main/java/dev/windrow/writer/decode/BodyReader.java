package dev.windrow.writer.decode;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.JsonProblem;
import dev.windrow.base.Reason;
import dev.windrow.base.Sanitized;
import dev.windrow.event.Event;

/** Reads one text that holds one event, an array of events, one event per line, or an object with an array of events. */
public final class BodyReader {

    private static final int MAX_DETAIL = 200;
    /** Of a wrapped text: as the parser's, as a string and as UTF-8. */
    private static final long HEAP_PER_CHARACTER = 6;
    /** A notification may wrap one of another topic; deeper nesting is never intended. */
    private static final int MAX_WRAPS = 2;
    /** How gzip begins in Base64. */
    private static final byte[] GZIP = { 'H', '4', 's', 'I' };
    private static final byte[] BYTE_ORDER_MARK = { (byte) 0xEF, (byte) 0xBB, (byte) 0xBF };

    private final Reading reading;
    private Map<String, String> attributes;
    private final int wraps;
    private final byte[] text;
    private final int start;
    private final EventReader reader;
    private final @Nullable FormReader forms;
    private final @Nullable Span outer;
    private final UnaryOperator<RejectedEvent> unread = this::unread;
    private Envelope envelope;

    /**
     * The context shared by all texts of a message: an SNS notification wraps another text.
     *
     * @param usedAttributes the names of the attributes that some dataset uses
     * @param forms forms by their {@code each}
     * @param sent when the message was sent, see {@link Message#identityMillis}
     */
    record Reading(Set<String> usedAttributes, Map<List<String>, FormSet> forms, Instant sent, MemoryBudget allowance,
            EventCollector collector) {
    }

    /** Memory that is given back at once. */
    private static final class TakenMemory implements MemoryBudget {

        private final MemoryBudget budget;
        private long taken;

        TakenMemory(MemoryBudget budget) {
            this.budget = budget;
        }

        @Override
        public void take(long bytes) {
            budget.take(bytes);
            taken += bytes;
        }

        void giveBack() {
            budget.giveBack(taken);
        }
    }

    /** @param attributes published with the text */
    BodyReader(Reading reading, MessageBody body, Map<String, String> attributes) {
        this(reading, body, attributes, 0, null);
    }

    /**
     * @param wraps how many notifications wrap the text
     * @param outer the array element or line that wraps the text; null if it is a text of its own
     */
    private BodyReader(Reading reading, MessageBody body, Map<String, String> attributes, int wraps, @Nullable Span outer) {
        this.reading = reading;
        this.attributes = attributes;
        this.wraps = wraps;
        this.text = body.utf8();
        this.start = textStart(text);
        EventDefaults defaults = EventDefaults.of(attributes, reading.sent);
        this.reader = new EventReader(reading.usedAttributes, defaults, wraps < MAX_WRAPS);
        this.forms = forms(List.of(), defaults);
        this.outer = outer;
        this.envelope = wraps > 0 ? Envelope.SNS : Envelope.PLAIN;
    }

    /**
     * Reads the text, or the text that it wraps.
     *
     * @throws IOException if the wrapped text is not compressed as declared
     */
    DecodeResult read() throws IOException {
        BodyKind kind = readText();
        return reading.collector.result(kind, envelope, attributes);
    }

    private BodyKind readText() throws IOException {
        BodyKind kind = BodyKind.of(text, start);
        switch (kind) {
            case OBJECT -> {
                if (!elements()) {
                    SnsNotification notification = value(start, text.length, RejectedEvent.WHOLE);
                    if (notification != null) {
                        BodyReader published = published(notification, reading.allowance, null);
                        kind = published.readText();
                        envelope = Envelope.SNS;
                        attributes = published.attributes;
                    }
                }
            }
            case LINES -> lines();
            case ARRAY -> array();
        }
        return kind;
    }

    /** Skips a byte order mark, which some producers' libraries put before UTF-8 to no effect. */
    private static int textStart(byte[] text) {
        int length = BYTE_ORDER_MARK.length;
        return text.length >= length && Arrays.equals(text, 0, length, BYTE_ORDER_MARK, 0, length) ? length : 0;
    }

    private @Nullable FormReader forms(List<String> each, EventDefaults defaults) {
        FormSet set = reading.forms.get(each);
        return set == null ? null : new FormReader(set, reading.usedAttributes, defaults, reading.allowance, wraps < MAX_WRAPS);
    }

    private BodyReader published(SnsNotification notification, MemoryBudget allowance, @Nullable Span within)
            throws IOException {
        allowance.take(HEAP_PER_CHARACTER * notification.message().length());
        if (!UTF_8.newEncoder().canEncode(notification.message())) {
            throw new InvalidInputException(Reason.INVALID_TEXT, "Message", "contains an unpaired surrogate");
        }
        // Uses its own attributes only: the outer message, such as a dead letter, may be compressed too.
        MessageBody body = Decompression.text(MessageBody.of(notification.message()), notification.attributes(), allowance);
        Map<String, String> all = new HashMap<>(notification.attributes());
        all.putAll(attributes);
        return new BodyReader(reading, body, all, wraps + 1, within);
    }

    private void lines() {
        int line = 0;
        for (int from = start; from < text.length; line++) {
            int to = BodyKind.lineEnd(text, from);
            if (BodyKind.skipBlank(text, from, to) < to) {
                unwrap(value(from, to, line), line, from, to);
            }
            from = to + 1;
        }
    }

    /** Reads a span that should hold one event. If it is a notification, returns it and collects nothing. */
    private @Nullable SnsNotification value(int from, int to, int index) {
        if (forms != null && matches(forms, from, to, index)) {
            return null;
        }
        reader.start(index);
        try (JsonParser parser = MessageBody.parser(text, from, to)) {
            if (parser.nextToken() == null) {
                notJson(index, "expected a JSON event, found nothing", from, to);
                return null;
            }
            Event event = reader.read(parser, index == RejectedEvent.WHOLE);
            if (parser.nextToken() != null) {
                notJson(index, "unexpected content after the event", from, to);
                return null;
            }
            return noted(index, event, forms, from, to);
        } catch (IOException e) {
            notJson(index, detail(e), from, to);
            return null;
        }
    }

    /** Reads a span by a form. If no form matches, returns false and collects nothing. */
    private boolean matches(FormReader by, int from, int to, int index) {
        try (JsonParser parser = MessageBody.parser(text, from, to)) {
            boolean matches = parser.nextToken() != null && by.matches(parser, index) && parser.nextToken() == null;
            if (matches) {
                note(by, index, from, to);
            }
            return matches;
        } catch (IOException e) {
            // The reader of other events reports the error.
            return false;
        }
    }

    private void array() {
        try (JsonParser parser = MessageBody.parser(text, start, text.length)) {
            parser.nextToken();
            elements(parser, start, 0, forms);
            if (parser.nextToken() != null) {
                reading.collector.rejectAll(Reason.NOT_JSON, "body", "unexpected content after the array");
            }
        } catch (IOException e) {
            reading.collector.rejectAll(Reason.NOT_JSON, "body", detail(e));
        }
    }

    /**
     * Reads an array.
     *
     * @param parser positioned at the array's start; left at its end
     * @param offset position in the text at which the parser began
     * @param by the forms of its events; null for none
     * @return the index after the last element
     */
    private int elements(JsonParser parser, int offset, int first, @Nullable FormReader by) throws IOException {
        int index = first;
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            int from = offset + (int) parser.currentTokenLocation().getByteOffset();
            boolean matches = by != null && by.matches(parser, index);
            reader.start(index);
            Event event = by == null ? reader.read(parser, false) : null;
            int to = offset + NestedArrays.end(parser);
            if (matches) {
                note(Objects.requireNonNull(by), index, from, to);
            } else {
                unwrap(noted(index, by == null ? event : again(from, to), by, from, to), index, from, to);
            }
            index++;
        }
        return index;
    }

    /** Reads again an element that matched no form. It was read once, so it is JSON. */
    private @Nullable Event again(int from, int to) throws IOException {
        try (JsonParser parser = MessageBody.parser(text, from, to)) {
            parser.nextToken();
            return reader.read(parser, false);
        }
    }

    /** Reads the elements of an array field of the text. If no form reads such a field, returns false and collects nothing. */
    private boolean elements() throws IOException {
        if (reading.forms.size() == (forms == null ? 0 : 1)) {
            return false;
        }
        Map<String, NestedArrays.Array> found = NestedArrays.of(text, start, outerArrays());
        for (FormSet set : reading.forms.values()) {
            String each = set.each().isEmpty() ? "" : set.each().get(0);
            NestedArrays.Array array = found.get(each);
            FormReader by = array == null ? null : forms(set.each(), EventDefaults.of(attributes, reading.sent));
            if (array == null || by == null) {
                continue;
            }
            if (array.isTwice()) {
                reading.collector.rejectAll(Reason.DUPLICATE_FIELD, each, "the field appears twice");
                return true;
            }
            int from = BodyKind.skipBlank(text, start, text.length);
            // A dead letter of one element has the index of its source message.
            boolean isLetter = array.size() == 1 && attributes.containsKey(Provenance.SOURCE_EVENT)
                    && NestedArrays.isOne(text, from, set.each());
            NestedArrays arrays = new NestedArrays(text, set.each(), by, reading.collector,
                    (parser, offset, first) -> elements(parser, offset, first, by), isLetter ? RejectedEvent.WHOLE : 0);
            if (set.isFlat()) {
                arrays.readArray(array.from());
            } else {
                arrays.read(from);
            }
            return true;
        }
        return false;
    }

    /** Returns the names of the fields of a message that forms read the elements of. */
    private Set<String> outerArrays() {
        Set<String> names = new TreeSet<>();
        reading.forms.keySet().stream().filter(each -> !each.isEmpty()).forEach(each -> names.add(each.get(0)));
        return names;
    }

    private void note(FormReader by, int index, int from, int to) {
        envelope = wraps > 0 ? Envelope.SNS : Envelope.FORM;
        Event event = by.event();
        if (event == null) {
            reading.collector.bad(by.rejection(), by.form().type(), span(from, to));
        } else {
            reading.collector.good(index, event, by.named, span(from, to));
        }
    }

    /**
     * Collects the value read last, unless it is a notification, which is returned instead.
     *
     * @param by the forms, none of which matched; null for none
     */
    private @Nullable SnsNotification noted(int index, @Nullable Event event, @Nullable FormReader by, int from, int to) {
        SnsNotification notification = reader.notification();
        if (notification != null) {
            return notification;
        }
        UnaryOperator<RejectedEvent> worded = by == null ? unread : by.unread;
        if (event == null) {
            reading.collector.bad(worded.apply(reader.rejection()), reader.type(), span(from, to));
        } else {
            envelope = wraps > 0 ? Envelope.SNS : reader.envelope();
            reading.collector.good(index, event, worded, span(from, to));
        }
        return null;
    }

    /** Reads the single event that a notification among several values must hold; does nothing if it is null. */
    private void unwrap(@Nullable SnsNotification notification, int index, int from, int to) {
        if (notification == null) {
            return;
        }
        envelope = Envelope.SNS;
        TakenMemory taken = new TakenMemory(reading.allowance);
        try {
            unwrap(notification, taken, index, span(from, to));
        } finally {
            // The text of a line or an element is dropped before the next one.
            taken.giveBack();
        }
    }

    private void unwrap(SnsNotification notification, MemoryBudget allowance, int index, Span span) {
        BodyReader published;
        try {
            published = published(notification, allowance, span);
        } catch (IOException e) {
            bad(index, Reason.INVALID_ENVELOPE, "Message", String.valueOf(e.getMessage()), span);
            return;
        } catch (InvalidInputException e) {
            bad(index, e.reason(), e.field(), String.valueOf(e.getMessage()).substring(e.field().length() + 2), span);
            return;
        }
        if (BodyKind.of(published.text, published.start) == BodyKind.OBJECT) {
            published.unwrap(published.value(published.start, published.text.length, index), index, published.start,
                    published.text.length);
        } else {
            bad(index, Reason.INVALID_ENVELOPE, "Message", "must hold one event, as the notification is one of several", span);
        }
    }

    /** Adds to an error of a message that it has no field whose elements a form reads, if all forms read elements. */
    private RejectedEvent unread(RejectedEvent rejection) {
        if (reading.forms.isEmpty() || !FormSet.isExplained(rejection.reason())) {
            return rejection;
        }
        String fits = reading.forms.values().iterator().next().noneFits();
        return rejection.withDetail(rejection.detail() + "; " + fits + ": the message has no array "
                + String.join(" or ", outerArrays()));
    }

    private void bad(int index, Reason reason, String field, String detail, Span span) {
        reading.collector.bad(new RejectedEvent(index, reason, field, detail), null, span);
    }

    private Span span(int from, int to) {
        return outer == null ? new Span(text, from, to) : outer;
    }

    private void notJson(int index, String problem, int from, int to) {
        String detail = startsWith(GZIP, from)
                ? "not valid JSON, but like gzip in Base64: send it with the message attribute content-encoding: gzip"
                : problem;
        bad(index, Reason.NOT_JSON, "body", detail, span(from, to));
    }

    private boolean startsWith(byte[] beginning, int from) {
        int to = Math.min(text.length, from + beginning.length);
        return Arrays.equals(text, from, to, beginning, 0, beginning.length);
    }

    private static String detail(IOException e) {
        String problem = e instanceof JsonProcessingException json ? JsonProblem.of(json.getOriginalMessage()) : e.getMessage();
        return Sanitized.line("not valid JSON: " + problem, MAX_DETAIL);
    }
}
