package dev.windrow.writer.decode;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.Measure;
import dev.windrow.time.EventTimes;
import dev.windrow.writer.decode.BodyReader.Reading;

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

}
