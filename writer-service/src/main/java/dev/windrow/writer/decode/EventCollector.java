package dev.windrow.writer.decode;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.Durations;
import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.dataset.Datasets;
import dev.windrow.event.Event;

/**
 * Collects the events of one message: good ones go to the sink, bad ones are kept with their text. A message with too many
 * bad events is rejected as a whole.
 */
public final class EventCollector {

    /** Maximum number of bad events of a message that become separate dead letters. */
    static final int MAX_REJECTIONS = 100;
    private static final int STEPS_BETWEEN_LOOKS = 256;
    /** Of a text, which may need two bytes per character. */
    private static final long HEAP_PER_BYTE = 2;

    private final Datasets datasets;
    private final EventSink sink;
    private final MemoryBudget allowance;
    private final LongSupplier nanoTime;
    private final Duration timeLimit;
    private final long startNanos;
    private final List<RejectedEvent> rejections = new ArrayList<>();
    private int steps;
    private int events;
    private int ignored;
    private Supplier<String> before = () -> "";
    private Supplier<String> after = () -> "";

    EventCollector(Datasets datasets, EventSink sink, MemoryBudget allowance, LongSupplier nanoTime, Duration timeLimit) {
        this.datasets = datasets;
        this.sink = sink;
        this.allowance = allowance;
        this.nanoTime = nanoTime;
        this.timeLimit = timeLimit;
        this.startNanos = nanoTime.getAsLong();
    }

    /** Sets what is around the following events in their message: with it, each text becomes such a message with one event. */
    void within(Supplier<String> textBefore, Supplier<String> textAfter) {
        before = textBefore;
        after = textAfter;
    }

    /**
     * Takes a valid event and its text.
     *
     * @param worded how the error is worded if the event cannot be counted
     */
    void good(int index, Event event, UnaryOperator<RejectedEvent> worded, Span text) {
        step();
        RejectedEvent rejection = sink.take(index, event);
        if (rejection == null) {
            events++;
        } else if (rejection.equals(RejectedEvent.EXCLUDED)) {
            ignored++;
        } else {
            reject(worded.apply(rejection), event.type(), text);
        }
    }

    /** Takes an invalid event, with its type if known. */
    void bad(RejectedEvent rejection, @Nullable String type, Span text) {
        step();
        reject(rejection, type, text);
    }

    /** Checks the time limit every {@value #STEPS_BETWEEN_LOOKS} events. */
    private void step() {
        if (++steps % STEPS_BETWEEN_LOOKS == 0 && nanoTime.getAsLong() - startNanos > timeLimit.toNanos()) {
            throw new InvalidInputException(Reason.TIMED_OUT, "message", "not decoded within " + Durations.text(timeLimit));
        }
    }

    private void reject(RejectedEvent rejection, @Nullable String type, Span text) {
        if (type != null && datasets.ignores(type)) {
            ignored++;
            return;
        }
        if (rejections.size() == MAX_REJECTIONS) {
            RejectedEvent first = rejections.get(0);
            throw new InvalidInputException(first.reason(), "message", "expected at most " + MAX_REJECTIONS
                    + " bad events, found more; event " + first.index() + ": " + first.explanation());
        }
        String eventText = "";
        if (rejection.index() != RejectedEvent.WHOLE) {
            String head = before.get();
            String tail = after.get();
            allowance.take(HEAP_PER_BYTE * (head.length() + text.to() - text.from() + tail.length()));
            eventText = head + new String(text.text(), text.from(), text.to() - text.from(), UTF_8).strip() + tail;
        }
        rejections.add(rejection.withText(eventText));
    }

    /** Rejects the whole message: none of its events counts. */
    void rejectAll(Reason reason, String field, String detail) {
        sink.restart();
        rejections.clear();
        events = 0;
        ignored = 0;
        rejections.add(new RejectedEvent(RejectedEvent.WHOLE, reason, field, detail));
    }

    DecodeResult result(BodyKind kind, Envelope envelope, Map<String, String> attributes) {
        return new DecodeResult(kind, envelope, attributes, events, ignored, List.copyOf(rejections));
    }

}
