package dev.windrow.writer.decode;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.measure.Measure;
import dev.windrow.reason.Reason;
import dev.windrow.writer.message.Body;
import dev.windrow.writer.message.Message;

/**
 * Reads message bodies: one JSON event, an array of them, or one a line; plain or in an envelope; recognised for each
 * message. A line that is not JSON is rejected alone; an array that is not JSON is rejected whole, as no event of it can
 * be told from the others. Thread-safe.
 */
public final class EventDecoder {

    /** A notification may wrap what another topic wrapped before; more than that is nobody's intention. */
    private static final int MOST_WRAPS = 2;

    private final UsedAttributes usedAttributes;
    private final boolean plainFirst;
    private final KnownTexts texts = new KnownTexts();

    /** @param datasets only attributes that these use are read */
    public EventDecoder(Datasets datasets) {
        this(datasets, true);
    }

    /** @param plainFirst whether the reader of plain events is tried first, which changes nothing but the time it takes */
    EventDecoder(Datasets datasets, boolean plainFirst) {
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

    /** The events of a message, and what is wrong with those that are not good. */
    public Decoded decode(Message message) {
        try {
            return decode(Unpacking.text(message), message.attributes(), 0);
        } catch (IOException e) {
            Rejection rejection = new Rejection(Rejection.WHOLE, Reason.INVALID_ENVELOPE, "body",
                    String.valueOf(e.getMessage()));
            return new Decoded(BodyKind.OBJECT, Envelope.PLAIN, message.body(), message.attributes(), List.of(),
                    List.of(rejection));
        }
    }

    private Decoded decode(Body text, Map<String, String> attributes, int wraps) {
        BodyKind kind = BodyKind.of(text.utf8());
        Hints hints = Hints.of(attributes);
        List<DecodedEvent> plain = plainFirst
                ? new PlainEvents(text.utf8(), usedAttributes, texts, hints).read(kind)
                : null;
        if (plain != null) {
            return new Decoded(kind, wraps > 0 ? Envelope.SNS : Envelope.PLAIN, text, attributes, plain, List.of());
        }
        EventReader reader = new EventReader(usedAttributes, hints);
        BodyReader body = new BodyReader(text.toString().toCharArray(), reader);
        body.read(kind);
        Notification notification = kind == BodyKind.OBJECT && wraps < MOST_WRAPS ? reader.notification() : null;
        if (notification != null) {
            return unwrapped(text, notification, attributes, wraps + 1);
        }
        return new Decoded(kind, wraps > 0 ? Envelope.SNS : reader.envelope(), text, attributes, body.events(),
                body.rejections());
    }

    private Decoded unwrapped(Body text, Notification notification, Map<String, String> attributes, int wraps) {
        if (!UTF_8.newEncoder().canEncode(notification.message())) {
            Rejection rejection = new Rejection(Rejection.WHOLE, Reason.INVALID_TEXT, "Message",
                    "expected surrogates in pairs");
            return new Decoded(BodyKind.OBJECT, Envelope.SNS, text, attributes, List.of(), List.of(rejection));
        }
        Map<String, String> all = new HashMap<>(notification.attributes());
        all.putAll(attributes);
        Decoded inner = decode(Body.of(notification.message()), all, wraps);
        return new Decoded(inner.kind(), Envelope.SNS, inner.text(), inner.attributes(), inner.events(),
                inner.rejections());
    }
}
