package dev.windrow.writer.aggregate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.Dataset;
import dev.windrow.event.Attribute;
import dev.windrow.event.Event;
import dev.windrow.scatter.Murmur3;
import dev.windrow.writer.decode.EventSink;
import dev.windrow.writer.decode.RejectedEvent;
import dev.windrow.writer.inflight.pending.PendingMessage;
import dev.windrow.writer.message.Message;

/** Shares of events that are not checked, with numbers that no event may have: for what must not go wrong even so. */
public final class UncheckedContributions implements EventSink {

    private final PendingMessage message;
    private final AggregationPlan plan;
    private final Map<String, Contribution> shares = new LinkedHashMap<>();

    /** @param dataset whose label is text, and that every event counts in */
    public UncheckedContributions(Dataset dataset, Message message) {
        this.message = new PendingMessage(message);
        this.plan = new AggregationPlan(dataset, 1);
    }

    public List<Contribution> all() {
        return List.copyOf(shares.values());
    }

    @Override
    public @Nullable RejectedEvent take(int index, Event event) {
        String[] label = plan.dataset().label().stream()
                .map(attribute -> ((Attribute.Text) Objects.requireNonNull(event.attributes().get(attribute))).value())
                .toArray(String[]::new);
        Message sent = message.message();
        Series series = plan.knownSeries().of(event.tenant(), label, 0);
        shares.computeIfAbsent(series.partitionKey(), key -> new Contribution(message, plan, series, LedgerId.ofMessage(
                Murmur3.hash64(sent.identity()), sent.identityMillis(), plan.dataset().ledgerSlots()))).add(event);
        return null;
    }

    @Override
    public void restart() {
        shares.clear();
    }
}
