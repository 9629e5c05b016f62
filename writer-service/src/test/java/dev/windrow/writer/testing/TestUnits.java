package dev.windrow.writer.testing;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;

import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.writer.aggregate.Aggregation;
import dev.windrow.writer.aggregate.ClaimUnitBuilder;
import dev.windrow.writer.decode.DecodeResult;
import dev.windrow.writer.decode.EventDecoder;
import dev.windrow.writer.decode.MemoryBudget;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.MessageBody;
import dev.windrow.writer.decode.SourceQueue;
import dev.windrow.writer.record.ClaimUnit;

/** Makes claim units the way the flow does: from message bodies. */
public final class TestUnits {

    /** As much memory as is asked for. */
    public static final MemoryBudget UNLIMITED = bytes -> {
    };

    private static final SourceQueue QUEUE = TestMessages.queue("test");

    private final EventDecoder decoder;
    private final Aggregation aggregation;

    /** What a message was read as, and what it adds. */
    public record Read(DecodeResult decoded, ClaimUnitBuilder units) {
    }

    public TestUnits(String yaml) {
        this(DatasetsYaml.parse("test", yaml), Long.MAX_VALUE);
    }

    private TestUnits(Datasets datasets, long maxHeapBytes) {
        this.decoder = ReadMessage.decoder(datasets);
        this.aggregation = new Aggregation(datasets, maxHeapBytes, new Random(1));
    }

    public static Read read(Datasets datasets, long maxHeapBytes, Message message) {
        return new TestUnits(datasets, maxHeapBytes).read(message);
    }

    public static Message message(String id, Instant sent, String body) {
        return new Message(QUEUE, id, "receipt of " + id, MessageBody.of(body), Map.of(), sent, sent, 1, null);
    }

    public List<ClaimUnit> of(Message message) {
        return read(message).units.build();
    }

    private Read read(Message message) {
        ClaimUnitBuilder units = aggregation.start(message, UNLIMITED);
        return new Read(decoder.decode(message, units, UNLIMITED), units);
    }
}
