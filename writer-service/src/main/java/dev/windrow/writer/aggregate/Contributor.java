package dev.windrow.writer.aggregate;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.Dedupe;
import dev.windrow.event.Attribute;
import dev.windrow.event.Event;
import dev.windrow.key.BucketKey;
import dev.windrow.key.Label;
import dev.windrow.key.SeriesKey;
import dev.windrow.measure.Decimals;
import dev.windrow.measure.Measure;
import dev.windrow.reason.Reason;
import dev.windrow.reason.ReasonedException;
import dev.windrow.scatter.Hashes;
import dev.windrow.writer.decode.DecodedEvent;
import dev.windrow.writer.decode.Rejection;

/**
 * Turns the events of a message into its shares of the series that they count in. An event counts in all datasets of its
 * type or, if one of them cannot take it, in none: it can be mended and sent again without counting twice. Thread-safe.
 */
public final class Contributor {

    private final Map<String, List<Plan>> plansByType;

    public Contributor(Datasets datasets) {
        this.plansByType = datasets.all().stream().map(Plan::new)
                .collect(Collectors.groupingBy(plan -> plan.dataset().eventType()));
    }

    /** The shares of a message. */
    public Contributions contribute(PendingMessage message, List<DecodedEvent> events) {
        OneMessage one = new OneMessage(message);
        for (DecodedEvent event : events) {
            one.add(event.index(), event.event());
        }
        return new Contributions(one.shares(), one.rejections);
    }

    private record ShareKey(SeriesKey series, @Nullable String eventId) {
    }

    /** The shares of one message while they are built. */
    private final class OneMessage {

        private final PendingMessage message;
        private final String identity;
        private final long millis;
        private final long hash;
        private final Map<ShareKey, Share> shares = new LinkedHashMap<>();
        private final List<Share> touched = new ArrayList<>();
        private final List<Rejection> rejections = new ArrayList<>();

        OneMessage(PendingMessage message) {
            this.message = message;
            this.identity = message.message().identity();
            this.millis = message.message().identityMillis();
            this.hash = Hashes.hash64(identity);
        }

        List<Share> shares() {
            List<Share> parts = new ArrayList<>(shares.size());
            for (Share share : shares.values()) {
                if (!share.base().isEmpty()) {
                    parts.addAll(share.parts(identity, millis));
                }
            }
            return parts;
        }

        void add(int index, Event event) {
            List<Plan> plans = plansByType.getOrDefault(event.type(), List.of());
            Rejection rejection = plans.isEmpty()
                    ? new Rejection(index, Reason.UNKNOWN_EVENT_TYPE, "type", "expected the event type of a dataset")
                    : null;
            touched.clear();
            for (int i = 0; i < plans.size() && rejection == null; i++) {
                rejection = touch(plans.get(i), index, event);
            }
            if (rejection != null) {
                rejections.add(rejection);
                return;
            }
            for (int i = 0; i < touched.size(); i++) {
                touched.get(i).add(event);
            }
        }

        /** Finds the share an event belongs to, or what is wrong with the event. */
        private @Nullable Rejection touch(Plan plan, int index, Event event) {
            Dataset dataset = plan.dataset();
            boolean byEvent = dataset.dedupe() == Dedupe.EVENT_ID;
            if (byEvent && event.id() == null) {
                return new Rejection(index, Reason.MISSING_FIELD, "id",
                        "expected an id, as dataset " + dataset.name() + " tells events apart by it");
            }
            Rejection rejection = checkMeasures(plan, index, event);
            if (rejection != null) {
                return rejection;
            }
            List<String> values = new ArrayList<>(dataset.label().size());
            for (String attribute : dataset.label()) {
                Attribute value = event.attributes().get(attribute);
                String text = labelText(value);
                if (text == null) {
                    return value == null
                            ? new Rejection(index, Reason.MISSING_LABEL, "attributes." + attribute,
                                    "expected a value, as it is the label of dataset " + dataset.name())
                            : new Rejection(index, Reason.WRONG_ATTRIBUTE_TYPE, "attributes." + attribute,
                                    "expected text, a number or a boolean, found " + value.description());
                }
                values.add(text);
            }
            long keyHash = byEvent ? Hashes.hash64(String.valueOf(event.id())) : hash;
            int keyShard = (int) Long.remainderUnsigned(keyHash, dataset.keyShards());
            SeriesKey series = new SeriesKey(event.tenant(), dataset.name(), new Label(values), keyShard);
            return open(plan, index, event, new ShareKey(series, byEvent ? event.id() : null));
        }

        private @Nullable Rejection open(Plan plan, int index, Event event, ShareKey key) {
            Share share = shares.get(key);
            if (share == null) {
                try {
                    share = create(plan, event, key);
                } catch (ReasonedException e) {
                    return new Rejection(index, e.reason(), "attributes", String.valueOf(e.getMessage()));
                }
                shares.put(key, share);
            } else if (key.eventId() != null) {
                // The same event twice in one message.
                return null;
            }
            touched.add(share);
            return null;
        }

        private Share create(Plan plan, Event event, ShareKey key) {
            Dataset dataset = plan.dataset();
            String partitionKey = key.series().partitionKey();
            if (!dataset.index().isEmpty()) {
                // All starts are written with 20 characters, so any of them tells whether the label fits.
                new BucketKey(key.series(), dataset.index().get(0), Instant.EPOCH).indexSortKey();
            }
            LedgerId id = key.eventId() == null ? LedgerId.of(identity, millis, dataset.ledgerSlots())
                    : LedgerId.of(key.eventId(), event.time().toEpochMilli(), dataset.ledgerSlots());
            return new Share(message, plan, key.series(), partitionKey, id);
        }
    }

    private static @Nullable Rejection checkMeasures(Plan plan, int index, Event event) {
        List<Measure> measures = plan.measures();
        for (int i = 0; i < measures.size(); i++) {
            String attribute = measures.get(i).attribute();
            Attribute value = attribute == null ? null : event.attributes().get(attribute);
            if (value != null && !(value instanceof Attribute.Decimal)) {
                return new Rejection(index, Reason.WRONG_ATTRIBUTE_TYPE, "attributes." + attribute,
                        "expected a number, found " + value.description());
            }
        }
        return null;
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
