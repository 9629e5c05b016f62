package dev.windrow.writer.aggregate;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Dataset.Dedupe;
import dev.windrow.dataset.Decimals;
import dev.windrow.dataset.Event;
import dev.windrow.dataset.Event.Attribute;
import dev.windrow.dataset.Scatter.Murmur3;
import dev.windrow.writer.decode.RejectedEvent;

/** Finds the series of an event in a dataset, or why the event is invalid. */
final class SeriesResolver {

    private final long messageHash;
    private final Instant sent;

    /**
     * @param messageHash of what is the same on each delivery of the message
     * @param sent when the message was sent
     */
    SeriesResolver(long messageHash, Instant sent) {
        this.messageHash = messageHash;
        this.sent = sent;
    }

    /** Either the series of an event, or its rejection. */
    record Resolved(@Nullable Series series, @Nullable RejectedEvent rejection) {
    }

    Resolved resolve(AggregationPlan plan, int index, Event event) {
        RejectedEvent rejection = EventChecks.check(plan, index, event, sent);
        if (rejection != null) {
            return new Resolved(null, rejection);
        }
        Dataset dataset = plan.dataset();
        List<String> attributes = dataset.label();
        String[] values = new String[attributes.size()];
        for (int i = 0; i < values.length; i++) {
            Attribute value = event.attributes().get(attributes.get(i));
            String text = labelText(value);
            if (text == null) {
                return new Resolved(null, notALabel(dataset, index, attributes.get(i), value));
            }
            values[i] = text;
        }
        try {
            int keyShard = (int) Long.remainderUnsigned(keyHash(dataset, event), dataset.keyShards());
            return new Resolved(plan.knownSeries().of(event.tenant(), values, keyShard), null);
        } catch (InvalidInputException e) {
            return new Resolved(null,
                    new RejectedEvent(index, e.reason(), "attributes", String.valueOf(e.getMessage())));
        }
    }

    /** The hash that chooses the key shard: of the event's id if events are deduplicated by it, else of the message. */
    private long keyHash(Dataset dataset, Event event) {
        return dataset.dedupe() == Dedupe.EVENT_ID ? Murmur3.hash64(String.valueOf(event.id())) : messageHash;
    }

    private static RejectedEvent notALabel(Dataset dataset, int index, String attribute, @Nullable Attribute value) {
        return value == null
                ? new RejectedEvent(index, Reason.MISSING_LABEL, "attributes." + attribute,
                        "expected a value, as it is the label of dataset " + dataset.name())
                : new RejectedEvent(index, Reason.WRONG_ATTRIBUTE_TYPE, "attributes." + attribute,
                        "expected text, a number or a boolean, found " + value.description());
    }

    private static @Nullable String labelText(@Nullable Attribute value) {
        if (value instanceof Attribute.Text text) {
            return text.value();
        }
        if (value instanceof Attribute.Decimal number) {
            return Decimals.canonical(number.value());
        }
        return value instanceof Attribute.Flag flag ? String.valueOf(flag.value()) : null;
    }
}
