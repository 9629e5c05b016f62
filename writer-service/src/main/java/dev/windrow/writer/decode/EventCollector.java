package dev.windrow.writer.decode;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.Reason;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.Event;

/**
 * Collects what is read from one message: good events go to the sink, bad ones are kept with their text. A message with too
 * many bad events is rejected as a whole.
 */
final class EventCollector {

    /** Maximum number of bad events of one message that become dead letters of their own. */
    static final int MAX_REJECTIONS = 100;

    private final Datasets datasets;
    private final EventSink sink;
    private final MemoryBudget allowance;
    private final DecodeDeadline timeLimit;
    private final List<RejectedEvent> rejections = new ArrayList<>();
    private int events;
    private int ignored;

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
    }

    /** Takes a valid event, and where its text is. */
    void good(int index, Event event, byte[] text, int from, int to) {
        timeLimit.step();
        RejectedEvent rejection = sink.take(index, event);
        if (rejection == null) {
            events++;
        } else {
            reject(rejection, event.type(), text, from, to);
        }
    }

    /** Takes an invalid event, with its type if known. */
    void bad(RejectedEvent rejection, @Nullable String type, byte[] text, int from, int to) {
        timeLimit.step();
        reject(rejection, type, text, from, to);
    }

    private void reject(RejectedEvent rejection, @Nullable String type, byte[] text, int from, int to) {
        if (type != null && datasets.ignores(type)) {
            ignored++;
            return;
        }
        if (rejections.size() == MAX_REJECTIONS) {
            RejectedEvent first = rejections.get(0);
            throw new MessageRejectedException(first.reason(), "message", "expected at most " + MAX_REJECTIONS
                    + " bad events, found more; event " + first.index() + ": " + first.explanation());
        }
        String eventText = rejection.index() == RejectedEvent.WHOLE ? "" : new String(text, from, to - from, UTF_8).strip();
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
}
