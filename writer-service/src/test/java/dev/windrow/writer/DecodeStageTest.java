package dev.windrow.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Random;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.local.TestClients;
import dev.windrow.writer.JournalStage.Received;
import dev.windrow.writer.aggregate.Aggregation;
import dev.windrow.writer.decode.EventDecoder;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.Provenance;
import dev.windrow.writer.journal.JournalMessage;
import dev.windrow.writer.queue.AcknowledgeSettings;
import dev.windrow.writer.queue.PendingMessage;
import dev.windrow.writer.record.ClaimId;
import dev.windrow.writer.record.ClaimUnit;
import dev.windrow.writer.testing.QueueParts;
import dev.windrow.writer.testing.TestMessages;
import dev.windrow.writer.testing.TestUnits;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

class DecodeStageTest {

    /** Nothing listens there. */
    private static final URI NOWHERE = URI.create("http://127.0.0.1:9");
    private static final Datasets DATASETS = DatasetsYaml.parse("test", """
            windrow:
              datasets:
                hits: {event-type: hit, label: [page], granularities: [day], measures: {hits: {type: count}}}
            """);

    private static final Instant NOW = Instant.parse("2026-11-20T10:31:32Z");

    @AutoClose
    private final SqsAsyncClient sqs = TestClients.sqs(NOWHERE);
    @AutoClose
    private final QueueParts parts = new QueueParts(sqs, AcknowledgeSettings.DEFAULTS, () -> 0);

    @ParameterizedTest
    @MethodSource("faults")
    void aMessageWhoseDecodingThrowsReturnsToItsQueueWhateverIsThrown(Throwable fault) {
        // Given
        DecodeStage stage = stage(new EventDecoder(DATASETS, Duration.ofSeconds(10), () -> fail(fault)));
        PendingMessage pending = parts.messages.receive(TestMessages.message("{}", Map.of(), Instant.EPOCH));

        // When
        stage.decode(pending, TestUnits.UNLIMITED);

        // Then
        assertThat(pending.isAbandoned()).isTrue();
        assertThat(parts.registry.get("windrow.writer.messages.returned").tag("reason", "internal").counter().count()).isOne();
    }

    static List<Throwable> faults() {
        return List.of(new IllegalStateException("a fault"), new StackOverflowError(), new AssertionError("a fault"),
                new OutOfMemoryError("Required length exceeds implementation limit"));
    }

    private static long fail(Throwable fault) {
        if (fault instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) fault;
    }

    /** It is deleted long after that where a bucket takes no updates, and its additions no longer count as held. */
    @Test
    void aClaimedMessageHoldsNoAdditions() {
        // Given
        PendingMessage pending = parts.messages.receive(TestMessages.message("{}", Map.of(), Instant.EPOCH));
        JournalMessage message = journal().new Received(pending, List.of(new ClaimUnit(
                new ClaimId(ClaimId.Kind.MESSAGE, 0, 1), List.of())));

        // When
        message.claimed();

        // Then
        assertThat(message.units()).isEmpty();
    }

    @Test
    void onlyReplayedMessagesThatWereSentTooLongAgoAreForgotten() {
        DecodeStage stage = stage(new EventDecoder(DATASETS, Duration.ofSeconds(10), () -> 0));

        assertThat(stage.isForgotten(replayed(NOW.minus(Duration.ofDays(15)).minusMillis(1)))).isTrue();
        assertThat(stage.isForgotten(replayed(NOW.minus(Duration.ofDays(15))))).isFalse();
        assertThat(stage.isForgotten(TestMessages.message("{}", Map.of(), NOW.minus(Duration.ofDays(30))))).isFalse();
    }

    private static Message replayed(Instant originallySent) {
        return TestMessages.message("{}", Map.of(Provenance.SOURCE_MESSAGE_ID, "m", Provenance.SOURCE_SENT,
                Long.toString(originallySent.toEpochMilli())), NOW);
    }

    private JournalStage journal() {
        return new JournalStage(null, DATASETS, null, parts.messages, parts.completion, System::nanoTime);
    }

    private DecodeStage stage(EventDecoder decoder) {
        return new DecodeStage(decoder, 90, Duration.ofDays(15), Clock.fixed(NOW, ZoneOffset.UTC), parts.messages,
                parts.completion,
                new Aggregation(DATASETS, Long.MAX_VALUE, new Random(1)),
                journal(),
                new FlowMetrics(parts.registry, Clock.systemUTC(), DATASETS, () -> false));
    }
}
