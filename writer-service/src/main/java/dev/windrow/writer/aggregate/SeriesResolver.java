package dev.windrow.writer.aggregate;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.Decimals;
import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Dedupe;
import dev.windrow.dataset.EventTimeBounds;
import dev.windrow.dataset.Measure;
import dev.windrow.event.Attribute;
import dev.windrow.event.Event;
import dev.windrow.scatter.Murmur3;
import dev.windrow.writer.decode.RejectedEvent;

/**
 * Finds the series of an event in a dataset, or the reason to reject the event.
 *
 * @param messageHash hash of the message's identity, the same on each delivery
 */
record SeriesResolver(long messageHash, Instant sent) {

    /** Either the series of an event, or its rejection. */
    record Resolved(@Nullable ResolvedSeries series, @Nullable RejectedEvent rejection) {
    }

    Resolved resolve(AggregationPlan plan, int index, Event event) {
        RejectedEvent rejection = check(plan, index, event, sent);
        if (rejection != null) {
            return new Resolved(null, rejection);
        }
        Dataset dataset = plan.dataset();
        List<String> attributes = dataset.label();
        String[] values = new String[attributes.size()];
        for (int i = 0; i < values.length; i++) {
            Attribute value = event.attributes().get(attributes.get(i));
            String text = value == null ? null : value.label();
            if (text == null) {
                return new Resolved(null, notALabel(dataset, index, attributes.get(i), value));
            }
            values[i] = text;
        }
        try {
            int keyShard = (int) Long.remainderUnsigned(keyHash(dataset, event), dataset.keyShards());
            return new Resolved(plan.knownSeries().of(event.tenant(), values, keyShard), null);
        } catch (InvalidInputException e) {
            return new Resolved(null, new RejectedEvent(index, e.reason(), "attributes", String.valueOf(e.getMessage())));
        }
    }

    /** Returns the hash that selects the key shard: the event id's if events are deduplicated by it, else the message's. */
    private long keyHash(Dataset dataset, Event event) {
        return dataset.dedupe() == Dedupe.EVENT_ID ? Murmur3.hash64(String.valueOf(event.id())) : messageHash;
    }

    private static RejectedEvent notALabel(Dataset dataset, int index, String attribute, @Nullable Attribute value) {
        return value == null
                ? new RejectedEvent(index, Reason.MISSING_LABEL, "attributes." + attribute,
                        "expected a value: it is part of the label of dataset " + dataset.name())
                : new RejectedEvent(index, Reason.WRONG_ATTRIBUTE_TYPE, "attributes." + attribute,
                        "expected text, a number or a boolean, found " + value.description());
    }

    /** Returns why a dataset rejects an event, regardless of its label; null if it accepts it. */
    private static @Nullable RejectedEvent check(AggregationPlan plan, int index, Event event, Instant sent) {
        RejectedEvent rejection = plan.dataset().dedupe() == Dedupe.EVENT_ID ? checkId(plan.dataset(), index, event.id())
                : null;
        if (rejection == null && !plan.dataset().accept().equals(EventTimeBounds.ANY)) {
            rejection = plan.dataset().accept().problem(event.time(), sent)
                    .map(expectation -> new RejectedEvent(index, Reason.TIME_NOT_ACCEPTED, "time",
                            "expected " + expectation + ", in dataset " + plan.dataset().name()))
                    .orElse(null);
        }
        return rejection == null ? checkMeasures(plan.measures(), index, event) : rejection;
    }

    private static @Nullable RejectedEvent checkId(Dataset dataset, int index, @Nullable String id) {
        if (id == null || id.isEmpty()) {
            return new RejectedEvent(index, Reason.MISSING_FIELD, "id",
                    "expected an id" + (id == null ? "" : " that is not empty")
                            + ": dataset " + dataset.name() + " deduplicates by it");
        }
        // Ids are hashed as UTF-8, which encodes all unpaired surrogates alike.
        return UTF_8.newEncoder().canEncode(id) ? null
                : new RejectedEvent(index, Reason.INVALID_TEXT, "id", "contains an unpaired surrogate");
    }

    private static @Nullable RejectedEvent checkMeasures(List<Measure> measures, int index, Event event) {
        for (int i = 0; i < measures.size(); i++) {
            Measure measure = measures.get(i);
            if (measure.attribute() == null || !measure.includes(event)) {
                continue;
            }
            Attribute value = event.attributes().get(measure.attribute());
            if (value == null) {
                if (measure.required()) {
                    return new RejectedEvent(index, Reason.MISSING_FIELD, "attributes." + measure.attribute(),
                            "expected a value: measure " + measure.name() + " requires it");
                }
                continue;
            }
            if (!measure.kind().readsAttribute()) {
                continue;
            }
            BigDecimal number = measure.numberOf(value);
            if (number == null && value.number() != null) {
                return new RejectedEvent(index, Reason.NUMBER_OUT_OF_RANGE, "attributes." + measure.attribute(),
                        "expected " + Decimals.EXPECTED);
            }
            if (number == null) {
                return new RejectedEvent(index, Reason.WRONG_ATTRIBUTE_TYPE, "attributes." + measure.attribute(),
                        "expected a number, or text that is one, found " + value.description());
            }
            String expectation = measure.refusal(number);
            if (expectation != null) {
                return new RejectedEvent(index, Reason.NUMBER_OUT_OF_RANGE, "attributes." + measure.attribute(),
                        "expected " + expectation);
            }
        }
        return null;
    }
}
