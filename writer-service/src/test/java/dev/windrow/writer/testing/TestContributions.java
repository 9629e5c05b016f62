package dev.windrow.writer.testing;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.yaml.DatasetsYaml;
import dev.windrow.writer.aggregate.ClaimUnitBuilder;
import dev.windrow.writer.aggregate.Contribution;
import dev.windrow.writer.aggregate.ContributionBuilder;
import dev.windrow.writer.aggregate.Contributor;
import dev.windrow.writer.aggregate.UncheckedContributions;
import dev.windrow.writer.decode.EventDecoder;
import dev.windrow.writer.decode.MemoryBudget;
import dev.windrow.writer.inflight.pending.PendingMessage;
import dev.windrow.writer.journal.claim.ClaimUnit;
import dev.windrow.writer.message.Message;
import dev.windrow.writer.message.MessageBody;
import dev.windrow.writer.message.SourceQueue;

/** Makes shares the way the flow does: from message bodies. */
public final class TestContributions {

    private static final SourceQueue QUEUE = new SourceQueue("test", "http://127.0.0.1/test", false, Duration.ofSeconds(30),
            Duration.ofDays(4), null);

    private final Datasets datasets;
    private final EventDecoder decoder;
    private final Contributor contributor;

    public TestContributions(String yaml) {
        this.datasets = DatasetsYaml.parse("test", yaml);
        this.decoder = ReadMessage.decoder(datasets);
        this.contributor = new Contributor(datasets, Long.MAX_VALUE);
    }

    public static Message message(String id, Instant sent, String body) {
        return new Message(QUEUE, id, "receipt of " + id, MessageBody.of(body), Map.of(), sent, sent, 1, null);
    }

    /** The shares of one message. */
    public List<Contribution> of(Message message) {
        ContributionBuilder contributions = contributor.start(new PendingMessage(message), MemoryBudget.UNLIMITED);
        decoder.decode(message, contributions, MemoryBudget.UNLIMITED);
        return contributions.build().shares();
    }

    /** What is claimed of one message. */
    public List<ClaimUnit> units(Message message) {
        ClaimUnitBuilder units = contributor.startUnits(message, MemoryBudget.UNLIMITED, new Random(1));
        decoder.decode(message, units, MemoryBudget.UNLIMITED);
        return units.build();
    }

    /** The shares of one message of the only dataset, with numbers that no event may have. */
    public List<Contribution> unchecked(Message message) {
        UncheckedContributions shares = new UncheckedContributions(datasets.all().get(0), message);
        decoder.decode(message, shares, MemoryBudget.UNLIMITED);
        return shares.all();
    }

    /** The shares of several messages, in order. */
    public List<Contribution> of(List<Message> messages) {
        List<Contribution> shares = new ArrayList<>();
        messages.forEach(message -> shares.addAll(of(message)));
        return shares;
    }
}
