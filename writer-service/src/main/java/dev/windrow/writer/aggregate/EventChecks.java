package dev.windrow.writer.aggregate;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.Reason;
import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Dataset.Dedupe;
import dev.windrow.dataset.Dataset.EventTimeBounds;
import dev.windrow.dataset.Decimals;
import dev.windrow.dataset.Event;
import dev.windrow.dataset.Event.Attribute;
import dev.windrow.dataset.Measure;
import dev.windrow.dataset.MeasureKind;
import dev.windrow.writer.decode.RejectedEvent;

/** What a dataset requires of its events, besides their label. */
final class EventChecks {

    private EventChecks() {
    }

    /**
     * Why a dataset rejects an event; null if it does not.
     *
     * @param sent when its message was sent
     */
    static @Nullable RejectedEvent check(AggregationPlan plan, int index, Event event, Instant sent) {
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
                            + ", as dataset " + dataset.name() + " deduplicates by it");
        }
        // Their hash is that of UTF-8, in which all unpaired surrogates are one.
        return isWellFormed(id) ? null
                : new RejectedEvent(index, Reason.INVALID_TEXT, "id", "expected surrogates in pairs");
    }

    private static boolean isWellFormed(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isSurrogate(c)) {
                boolean pair = Character.isHighSurrogate(c) && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1));
                if (!pair) {
                    return false;
                }
                i++;
            }
        }
        return true;
    }

    private static @Nullable RejectedEvent checkMeasures(List<Measure> measures, int index, Event event) {
        for (int i = 0; i < measures.size(); i++) {
            Measure measure = measures.get(i);
            Attribute value = measure.attribute() == null ? null : event.attributes().get(measure.attribute());
            if (value == null) {
                continue;
            }
            if (!(value instanceof Attribute.Decimal number)) {
                return new RejectedEvent(index, Reason.WRONG_ATTRIBUTE_TYPE, "attributes." + measure.attribute(),
                        "expected a number, found " + value.description());
            }
            if (measure.kind() == MeasureKind.SUM && !Decimals.isSummand(number.value())) {
                return new RejectedEvent(index, Reason.NUMBER_OUT_OF_RANGE, "attributes." + measure.attribute(),
                        "expected " + Decimals.SUMMAND_EXPECTED);
            }
        }
        return null;
    }
}
