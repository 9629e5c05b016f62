package dev.windrow.writer.decode;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.Measure;
import dev.windrow.writer.message.Message;
import dev.windrow.writer.message.MessageBody;

/**
 * Decodes message bodies: one JSON event, an array of them, or one per line; plain or in an envelope, detected for each
 * message. A line that is not JSON is rejected alone; an array that is not JSON is rejected whole, as its events cannot be
 * separated. Thread-safe.
 */
public final class EventDecoder {

    /** Maximum size of a decompressed body. */
    public static final int MAX_UNPACKED_BYTES = Decompression.MAX_BYTES;

    /** A notification may wrap that of another topic; deeper nesting is never intended. */
    private static final int MAX_WRAPS = 2;

    private static final byte[] BYTE_ORDER_MARK = { (byte) 0xEF, (byte) 0xBB, (byte) 0xBF };

    private final Datasets datasets;
    private final UsedAttributes usedAttributes;
    private final Duration timeLimit;
    private final LongSupplier nanoTime;
    private final boolean plainFirst;
    private final StringInterner texts = new StringInterner();

    /**
     * @param datasets only attributes that these use are read
     * @param timeLimit how long a message may take
     * @param nanoTime a clock that never goes back
     */
    public EventDecoder(Datasets datasets, Duration timeLimit, LongSupplier nanoTime) {
        this(datasets, timeLimit, nanoTime, true);
    }

    /** @param plainFirst whether the fast parser is tried first; affects speed only */
    EventDecoder(Datasets datasets, Duration timeLimit, LongSupplier nanoTime, boolean plainFirst) {
        this.datasets = datasets;
        this.timeLimit = timeLimit;
        this.nanoTime = nanoTime;
        this.plainFirst = plainFirst;
        Set<String> used = new HashSet<>();
        for (Dataset dataset : datasets.all()) {
            used.addAll(dataset.label());
            for (Measure measure : dataset.measures()) {
                measure.source().ifPresent(used::add);
            }
        }
        this.usedAttributes = new UsedAttributes(used);
    }

    /**
     * Reads a message.
     *
     * @param sink takes the good events
     * @param allowance memory needed while the message is read, besides what the sink needs
     * @throws MemoryBudgetExceededException if there is not enough memory now
     */
    public DecodeResult decode(Message message, EventSink sink, MemoryBudget allowance) {
        EventCollector collector = new EventCollector(datasets, sink, allowance, new DecodeDeadline(nanoTime, timeLimit));
        try {
            return decode(Decompression.text(message.body(), message.attributes(), allowance), message.attributes(), 0,
                    allowance, collector);
        } catch (IOException e) {
            collector.rejectAll(Reason.INVALID_ENVELOPE, "body", String.valueOf(e.getMessage()));
        } catch (InvalidInputException e) {
            collector.rejectAll(e.reason(), e.field(), String.valueOf(e.getMessage()).substring(e.field().length() + 2));
        } catch (MessageRejectedException e) {
            collector.rejectAll(e.rejection());
        }
        return decoded(BodyKind.OBJECT, Envelope.PLAIN, message.attributes(), collector);
    }

    private DecodeResult decode(MessageBody body, Map<String, String> attributes, int wraps, MemoryBudget allowance,
            EventCollector collector) throws IOException {
        byte[] text = body.utf8();
        int start = textStart(text);
        BodyKind kind = BodyKind.of(text, start);
        EventDefaults hints = EventDefaults.of(attributes);
        if (plainFirst) {
            if (new FastEventParser(text, start, usedAttributes, texts, hints, collector).read(kind)) {
                return decoded(kind, wraps > 0 ? Envelope.SNS : Envelope.PLAIN, attributes, collector);
            }
            collector.restart();
        }
        EventReader reader = new EventReader(usedAttributes, hints, wraps < MAX_WRAPS && kind == BodyKind.OBJECT);
        new BodyReader(text, start, reader, collector).read(kind);
        SnsNotification notification = reader.notification();
        if (notification != null) {
            collector.restart();
            return unwrapped(notification, attributes, wraps + 1, allowance, collector);
        }
        return decoded(kind, wraps > 0 ? Envelope.SNS : reader.envelope(), attributes, collector);
    }

    private DecodeResult unwrapped(SnsNotification notification, Map<String, String> attributes, int wraps,
            MemoryBudget allowance, EventCollector collector) throws IOException {
        if (!UTF_8.newEncoder().canEncode(notification.message())) {
            collector.rejectAll(Reason.INVALID_TEXT, "Message", "expected surrogates in pairs");
            return decoded(BodyKind.OBJECT, Envelope.SNS, attributes, collector);
        }
        // By its own attributes alone: the message around it may be compressed, too, as a dead letter may be.
        MessageBody published = Decompression.text(MessageBody.of(notification.message()), notification.attributes(),
                allowance);
        Map<String, String> all = new HashMap<>(notification.attributes());
        all.putAll(attributes);
        return decode(published, all, wraps, allowance, collector);
    }

    private static DecodeResult decoded(BodyKind kind, Envelope envelope, Map<String, String> attributes,
            EventCollector collector) {
        return new DecodeResult(kind, envelope, attributes, collector.events(), collector.ignored(), collector.rejections());
    }

    /** Some producers' libraries put a byte order mark before UTF-8, where it means nothing. */
    private static int textStart(byte[] text) {
        boolean marked = text.length >= BYTE_ORDER_MARK.length;
        for (int i = 0; marked && i < BYTE_ORDER_MARK.length; i++) {
            marked = text[i] == BYTE_ORDER_MARK[i];
        }
        return marked ? BYTE_ORDER_MARK.length : 0;
    }
}
