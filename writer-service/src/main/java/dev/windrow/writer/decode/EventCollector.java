package dev.windrow.writer.decode;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.io.JsonStringEncoder;

import dev.windrow.base.Reason;
import dev.windrow.base.Sanitized;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.Event;
import dev.windrow.dataset.EventForm;
import dev.windrow.writer.decode.BodyReader.Span;
import dev.windrow.writer.decode.EventDecoder.DecodeDeadline;
import dev.windrow.writer.decode.EventDecoder.EventSink;

/**
 * Collects what is read from one message: good events go to the sink, bad ones are kept with their text. A message with too
 * many bad events is rejected as a whole.
 */
public final class EventCollector {

    /** Maximum number of bad events of one message that become dead letters of their own. */
    static final int MAX_REJECTIONS = 100;

    private final Datasets datasets;
    private final EventSink sink;
    private final MemoryBudget allowance;
    private final DecodeDeadline timeLimit;
    private final List<RejectedEvent> rejections = new ArrayList<>();
    private int events;
    private int ignored;
    private String before = "";
    private String after = "";

    EventCollector(Datasets datasets, EventSink sink, MemoryBudget allowance, DecodeDeadline timeLimit) {
        this.datasets = datasets;
        this.sink = sink;
        this.allowance = allowance;
        this.timeLimit = timeLimit;
    }

    /** Starts over: the text is read again, or none of it counts. */
    void restart() {
        sink.restart();
        rejections.clear();
        events = 0;
        ignored = 0;
        before = "";
        after = "";
    }

    /** From now on events are elements of a field of their message: their texts are such messages, of one event each. */
    void within(String each) {
        before = "{\"" + new String(JsonStringEncoder.getInstance().quoteAsString(each)) + "\":[";
        after = "]}";
    }

    /** Takes a valid event, the form by which it was read, and its text. */
    void good(int index, Event event, @Nullable EventForm form, Span text) {
        timeLimit.step();
        RejectedEvent rejection = sink.take(index, event);
        if (rejection == null) {
            events++;
        } else if (rejection.equals(RejectedEvent.EXCLUDED)) {
            ignored++;
        } else {
            reject(form == null ? rejection : rejection.withField(form.origin(rejection.field())), event.type(), text);
        }
    }

    /** Takes an invalid event, with its type if known. */
    void bad(RejectedEvent rejection, @Nullable String type, Span text) {
        timeLimit.step();
        reject(rejection, type, text);
    }

    private void reject(RejectedEvent rejection, @Nullable String type, Span text) {
        if (type != null && datasets.ignores(type)) {
            ignored++;
            return;
        }
        if (rejections.size() == MAX_REJECTIONS) {
            RejectedEvent first = rejections.get(0);
            throw new MessageRejectedException(first.reason(), "message", "expected at most " + MAX_REJECTIONS
                    + " bad events, found more; event " + first.index() + ": " + first.explanation());
        }
        String eventText = rejection.index() == RejectedEvent.WHOLE ? ""
                : before + new String(text.text(), text.from(), text.to() - text.from(), UTF_8).strip() + after;
        allowance.take(2L * eventText.length());
        rejections.add(rejection.withText(eventText));
    }

    /** Rejects the whole message: none of its events may count. */
    void rejectAll(RejectedEvent whole) {
        restart();
        rejections.add(whole);
    }

    void rejectAll(Reason reason, String field, String detail) {
        rejectAll(RejectedEvent.whole(reason, field, detail));
    }

    int events() {
        return events;
    }

    int ignored() {
        return ignored;
    }

    List<RejectedEvent> rejections() {
        return List.copyOf(rejections);
    }

    /**
     * An event that cannot be counted.
     *
     * @param index its position in the message from 0, or {@link #WHOLE}; on lines, the number of the line
     * @param reason why
     * @param field the field that is wrong, such as {@code attributes.bytes}
     * @param detail what was expected there
     * @param text the event as sent; empty for the message as a whole
     */
    public record RejectedEvent(int index, Reason reason, String field, String detail, String text) {

        /** Field and detail may hold what the producer wrote, and are logged. */
        public RejectedEvent {
            field = Sanitized.line(field);
            detail = Sanitized.line(detail);
        }

        /** The index that stands for the message as a whole, none of whose events counts. */
        public static final int WHOLE = -1;

        /** Stands for an event that is good, and that no dataset counts. */
        public static final RejectedEvent EXCLUDED = new RejectedEvent(WHOLE, Reason.UNKNOWN_EVENT_TYPE, "type",
                "expected an event that some dataset counts");

        /** A rejection whose text is not cut out yet. */
        public RejectedEvent(int index, Reason reason, String field, String detail) {
            this(index, reason, field, detail, "");
        }

        /** The rejection of a message as a whole. */
        public static RejectedEvent whole(Reason reason, String field, String detail) {
            return new RejectedEvent(WHOLE, reason, field, detail);
        }

        RejectedEvent withField(String other) {
            return new RejectedEvent(index, reason, other, detail, text);
        }

        RejectedEvent withText(String eventText) {
            return new RejectedEvent(index, reason, field, detail, eventText);
        }

        /** Field and detail as one clause. */
        public String explanation() {
            return field + ": " + detail;
        }
    }

    /** A message none of whose events can be counted. It has no stack trace: it says what is wrong with data. */
    public static final class MessageRejectedException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final transient RejectedEvent rejection;

        /** @see RejectedEvent */
        public MessageRejectedException(Reason reason, String field, String detail) {
            super(field + ": " + detail, null, false, false);
            this.rejection = RejectedEvent.whole(reason, field, detail);
        }

        RejectedEvent rejection() {
            return rejection;
        }
    }
}
