package dev.windrow.writer.aggregate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.Dedupe;
import dev.windrow.event.Attribute;
import dev.windrow.event.Event;
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

    /** A share of one event only. */
    private record EventShare(Series series, String eventId) {
    }

    /** The shares of one message while they are built. */
    private final class OneMessage {

        private final PendingMessage message;
        private final String identity;
        private final long millis;
        private final long hash;
        private final List<Share> shares = new ArrayList<>();
        /** A dataset's shares are either by message or by event. */
        private final Map<Series, Share> byMessage = new HashMap<>();
        private final Map<EventShare, Share> byEvent = new HashMap<>();
        private final List<Share> touched = new ArrayList<>();
        private final List<Rejection> rejections = new ArrayList<>();
        private @Nullable LedgerId ledgerId;
        private int ledgerSlots;

        OneMessage(PendingMessage message) {
            this.message = message;
            this.identity = message.message().identity();
            this.millis = message.message().identityMillis();
            this.hash = Hashes.hash64(identity);
        }

        List<Share> shares() {
            List<Share> parts = new ArrayList<>(shares.size());
            for (Share share : shares) {
                if (share.baseBuckets() > 0) {
                    share.addParts(parts, identity, millis);
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
            List<String> attributes = dataset.label();
            String[] values = new String[attributes.size()];
            for (int i = 0; i < values.length; i++) {
                Attribute value = event.attributes().get(attributes.get(i));
                String text = labelText(value);
                if (text == null) {
                    return notALabel(dataset, index, attributes.get(i), value);
                }
                values[i] = text;
            }
            String id = byEvent ? String.valueOf(event.id()) : null;
            long keyHash = id == null ? hash : Hashes.hash64(id);
            int keyShard = (int) Long.remainderUnsigned(keyHash, dataset.keyShards());
            try {
                Series series = plan.knownSeries().of(event.tenant(), values, keyShard);
                open(plan, event, series, id, keyHash);
                return null;
            } catch (ReasonedException e) {
                return new Rejection(index, e.reason(), "attributes", String.valueOf(e.getMessage()));
            }
        }

        private void open(Plan plan, Event event, Series series, @Nullable String eventId, long keyHash) {
            int slots = plan.dataset().ledgerSlots();
            if (eventId == null) {
                Share share = byMessage.get(series);
                if (share == null) {
                    share = open(plan, series, ledgerId(slots));
                    byMessage.put(series, share);
                }
                touched.add(share);
                return;
            }
            EventShare key = new EventShare(series, eventId);
            Share share = byEvent.get(key);
            if (share == null) {
                share = open(plan, series, LedgerId.ofEvent(keyHash, event.time().toEpochMilli(), slots));
                byEvent.put(key, share);
            } else if (share.baseBuckets() > 0) {
                // The same event twice in one message.
                return;
            }
            touched.add(share);
        }

        private Share open(Plan plan, Series series, LedgerId id) {
            Share share = new Share(message, plan, series, id);
            shares.add(share);
            return share;
        }

        /** All shares of a message in one dataset, and mostly in all, go by the same id. */
        private LedgerId ledgerId(int slots) {
            LedgerId id = ledgerId;
            if (id == null || ledgerSlots != slots) {
                id = LedgerId.ofMessage(hash, millis, slots);
                ledgerId = id;
                ledgerSlots = slots;
            }
            return id;
        }
    }

    private static Rejection notALabel(Dataset dataset, int index, String attribute, @Nullable Attribute value) {
        return value == null
                ? new Rejection(index, Reason.MISSING_LABEL, "attributes." + attribute,
                        "expected a value, as it is the label of dataset " + dataset.name())
                : new Rejection(index, Reason.WRONG_ATTRIBUTE_TYPE, "attributes." + attribute,
                        "expected text, a number or a boolean, found " + value.description());
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
