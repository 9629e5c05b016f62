package dev.windrow.writer.decode;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.Event;
import dev.windrow.dataset.EventTimes;
import dev.windrow.dataset.Measure;
import dev.windrow.dataset.TenantNames;
import dev.windrow.writer.decode.BodyReader.BodyKind;
import dev.windrow.writer.decode.BodyReader.Reading;
import dev.windrow.writer.decode.EventCollector.RejectedEvent;
import dev.windrow.writer.decode.EventDecoder.MemoryBudget.MemoryBudgetExceededException;
import dev.windrow.writer.decode.FormReader.FormSet;
import dev.windrow.writer.decode.Message.HeapSize;
import dev.windrow.writer.decode.Message.Provenance;

/**
 * Decodes message bodies: one JSON event, an array of events, or one event per line; plain or in an envelope, detected per
 * message. A line that is not JSON is rejected alone; an array that is not JSON is rejected whole, as its events cannot be
 * separated. Thread-safe.
 */
public final class EventDecoder {

    /** Far longer than any message of a good producer takes, and shorter than a queue's visibility timeout of 30 s. */
    public static final Duration TIME_LIMIT = Duration.ofSeconds(10);

    private final Datasets datasets;
    private final Set<String> usedAttributes;
    private final Map<List<String>, FormSet> forms;
    private final Duration timeLimit;
    private final LongSupplier nanoTime;

    /** @param datasets only attributes that they use are read */
    public EventDecoder(Datasets datasets, Duration timeLimit, LongSupplier nanoTime) {
        this.datasets = datasets;
        this.timeLimit = timeLimit;
        this.nanoTime = nanoTime;
        Set<String> used = new HashSet<>();
        for (Dataset dataset : datasets.all()) {
            used.addAll(dataset.label());
            used.addAll(dataset.where().keySet());
            for (Measure measure : dataset.measures()) {
                measure.source().ifPresent(used::add);
                used.addAll(measure.where().keySet());
            }
        }
        this.usedAttributes = Set.copyOf(used);
        this.forms = FormSet.byEach(datasets.forms());
    }

    /**
     * Reads a message.
     *
     * @param sink takes the good events
     * @param allowance memory needed while the message is read, in addition to the sink's
     * @throws MemoryBudgetExceededException if there is not enough memory now
     */
    public DecodeResult decode(Message message, EventSink sink, MemoryBudget allowance) {
        EventCollector collector = new EventCollector(datasets, sink, allowance, nanoTime, timeLimit);
        try {
            Instant sent = EventTimes.inRange(Provenance.SOURCE_SENT, Instant.ofEpochMilli(message.identityMillis()));
            return new BodyReader(new Reading(usedAttributes, forms, sent, allowance, collector),
                    Decompression.text(message.body(), message.attributes(), allowance), message.attributes()).read();
        } catch (IOException e) {
            collector.rejectAll(Reason.INVALID_ENVELOPE, "body", String.valueOf(e.getMessage()));
        } catch (InvalidInputException e) {
            collector.rejectAll(e.reason(), e.field(), String.valueOf(e.getMessage()).substring(e.field().length() + 2));
        }
        return collector.result(BodyKind.OBJECT, Envelope.PLAIN, message.attributes());
    }

    /**
     * The result of decoding a message, except for its good events, which went to the {@link EventSink}.
     *
     * @param attributes the message's attributes, and those of the notification that wrapped it
     * @param rejections the bad events, or one rejection of the message as a whole
     */
    public record DecodeResult(BodyKind kind, Envelope envelope, Map<String, String> attributes, int events, int ignored,
            List<RejectedEvent> rejections) {

        /** Estimated heap size of the rejections, in bytes. */
        public long heapBytes() {
            return rejections.stream()
                    .mapToLong(rejection -> HeapSize.of(rejection.text()) + HeapSize.of(rejection.detail())).sum();
        }
    }

    /** The envelope of a message's events. */
    public enum Envelope {

        /** No envelope: events of Windrow's own form, including raw delivery by SNS. */
        PLAIN,
        /** No envelope: events of a declared form. */
        FORM,
        /** CloudEvents 1.0. */
        CLOUDEVENTS,
        /** An SNS notification. */
        SNS,
        /** An EventBridge event. */
        EVENTBRIDGE;
    }

    /**
     * Defaults from outside a message's body; an event's own fields override them.
     *
     * @param type the type of events that name none; null if unknown
     * @param tenant the tenant of events that name none
     * @param cloudEvent the attributes of a CloudEvent in binary mode, whose data is the body; null for other messages
     */
    record EventDefaults(@Nullable String type, String tenant, Instant sent, @Nullable Map<String, String> cloudEvent) {

        /** Message attribute that gives {@link #type}. */
        static final String TYPE = "type";

        /** Message attribute that gives {@link #tenant}. */
        static final String TENANT = "tenant";

        /** Attribute names of the CloudEvents bindings to HTTP and Kafka; SQS has no binding. */
        private static final Pattern CLOUD_EVENT = Pattern.compile("ce[-_]([a-z0-9]+)", Pattern.CASE_INSENSITIVE);

        /** Reads the defaults from message attributes. */
        static EventDefaults of(Map<String, String> attributes, Instant sent) {
            if (attributes.isEmpty()) {
                return new EventDefaults(null, TenantNames.DEFAULT, sent, null);
            }
            Map<String, String> cloudEvent = new HashMap<>();
            attributes.forEach((name, value) -> {
                Matcher matcher = CLOUD_EVENT.matcher(name);
                if (matcher.matches()) {
                    cloudEvent.put(matcher.group(1).toLowerCase(Locale.ROOT), value);
                }
            });
            return new EventDefaults(attributes.get(TYPE), attributes.getOrDefault(TENANT, TenantNames.DEFAULT), sent,
                    cloudEvent.containsKey("specversion") ? cloudEvent : null);
        }
    }

    /** Takes the events of a message one by one as they are read, so that they are never all in memory. */
    public interface EventSink {

        /**
         * Takes an event.
         *
         * @param index its position in the message, see {@link RejectedEvent#index}
         * @return null if it counts, {@link RejectedEvent#EXCLUDED} if no dataset counts it, or else the error
         * @throws InvalidInputException if the message as a whole cannot be counted
         * @throws MemoryBudgetExceededException if there is not enough memory now
         */
        @Nullable
        RejectedEvent take(int index, Event event);

        /** Drops all events so far: the message is read again, or none of it counts. */
        void restart();
    }

    /** The memory budget for decoding one message. It grows on demand. */
    @FunctionalInterface
    public interface MemoryBudget {

        /**
         * Takes more memory.
         *
         * @param bytes estimated bytes needed in addition to those taken before
         * @throws MemoryBudgetExceededException if that much is not available now
         * @throws InvalidInputException with {@link Reason#MESSAGE_TOO_LARGE} if that much is never available
         */
        void take(long bytes);

        /** Gives back memory taken before, for what is needed next. */
        default void giveBack(long bytes) {
        }

        /**
         * Keeps memory for the result when decoding ends. Nothing may be taken afterwards.
         *
         * @return the bytes kept
         * @throws MemoryBudgetExceededException if more is kept than was taken, and that is not available now
         */
        default long keep(long bytes) {
            return bytes;
        }

        /** Thrown if there is not enough memory to decode a message; it must wait until other messages have ended. */
        public static final class MemoryBudgetExceededException extends RuntimeException {

            private static final long serialVersionUID = 1L;

            public MemoryBudgetExceededException() {
                super("memory budget exceeded", null, false, false);
            }
        }
    }
}
