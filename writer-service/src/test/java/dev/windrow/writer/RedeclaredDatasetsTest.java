package dev.windrow.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.local.LocalAws;
import dev.windrow.provision.QueueProvisioner.ProvisionedQueues;
import dev.windrow.provision.QueueProvisioner.QueueSpec;
import dev.windrow.testing.Patience;
import dev.windrow.writer.WriterWiring.FlowSettings;
import dev.windrow.writer.testing.Buckets;
import dev.windrow.writer.testing.EmbeddedAws;
import dev.windrow.writer.testing.TestQueue;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;

/** A writer that is killed, and is followed by one with other datasets. */
@QuarkusTest
@Tag("slow")
@QuarkusTestResource(value = EmbeddedAws.class, restrictToAnnotatedClass = false)
class RedeclaredDatasetsTest {

    private static final Duration PATIENCE = Patience.LIMIT;
    private static final String TIME = "2026-11-20T00:00:00Z";
    /** What the first declaration and the next one differ in, each in a dataset of its own. */
    private static final String BEFORE = """
            windrow:
              datasets:
                labels:
                  event-type: a
                  label: [item]
                  granularities: [day]
                  measures: {events: {type: count}}
                granularities:
                  event-type: b
                  label: [item]
                  granularities: [hour, day]
                  measures: {events: {type: count}}
                shards:
                  event-type: c
                  label: [item]
                  granularities: [day]
                  key-shards: 8
                  measures: {events: {type: count}}
                ids:
                  event-type: d
                  label: [item]
                  granularities: [day]
                  measures: {events: {type: count}}
                  dedupe: event-id
            """;
    private static final String AFTER = """
            windrow:
              datasets:
                labels:
                  event-type: a
                  label: [item, place]
                  granularities: [day]
                  measures: {events: {type: count}}
                granularities:
                  event-type: b
                  label: [item]
                  granularities: [day, month]
                  measures: {events: {type: count}}
                shards:
                  event-type: c
                  label: [item]
                  granularities: [day]
                  key-shards: 2
                  measures: {events: {type: count}}
                ids:
                  event-type: d
                  label: [item]
                  granularities: [day]
                  measures: {events: {type: count}}
            """;
    private static int runs;

    private LocalAws aws;

    @TempDir
    Path folder;

    private InterceptedTable intercepted;
    private ProvisionedQueues queues;
    private TestQueue queue;
    private Buckets buckets;
    private Map<String, String> settings;
    private FlowSettings flowSettings = InProcessWriter.FLOW;

    @BeforeEach
    void createQueueAndTable() {
        String table = "redeclared-" + runs++;
        queues = aws
                .createQueue(QueueSpec.named(table).withVisibilityTimeout(Duration.ofMinutes(5)).withMaxReceiveCount(1_000));
        queue = new TestQueue(aws.sqs(), queues.url());
        aws.createTable(table);
        buckets = new Buckets(aws.dynamoDb(), table);
        intercepted = InterceptedTable.at(aws.dynamoDbEndpoint());
        settings = new HashMap<>(Map.of("windrow.writer.queue", queues.url(), "windrow.writer.dead-letter-queue",
                queues.deadLetterUrl(), "windrow.table", table, "windrow.writer.journal.lease", "2s"));
        List.of("hour", "day", "month").forEach(name -> settings.put("windrow.writer.journal.write-every." + name, "1s"));
    }

    @AfterEach
    void close() {
        intercepted.close();
    }

    /** Messages are either deleted before their writer is killed, or delivered again to one with another declaration. */
    @ParameterizedTest
    @ValueSource(booleans = { true, false })
    void whatWasClaimedIsCountedAsDeclaredThenWhateverIsDeclaredWhenItIsApplied(boolean deleted) {
        // Given a writer that has claimed all messages and applied nothing
        List<String> types = deleted ? List.of("a", "b", "c", "d") : List.of("a", "b", "c");
        flowSettings = InProcessWriter.flow(InProcessWriter.FLOW.acknowledge(),
                deleted ? Duration.ofMillis(100) : Duration.ofHours(1), InProcessWriter.FLOW.deniedFor());
        intercepted.cutBuckets();
        send(types, "old");
        try (InProcessWriter old = writer(BEFORE)) {
            await().atMost(PATIENCE).until(() -> old.counter("windrow.writer.messages.received") >= 10 * types.size()
                    && old.counter("windrow.writer.journal.records") > 0 && old.counter("windrow.writer.journal.waiting") == 0
                    && (!deleted || queue.size() == 0));

            // When it is killed, and one with other datasets starts
            kill(old);
        }
        assertThat(buckets.measure("labels", "events")).isEmpty();
        intercepted.mend();
        send(types, "new");
        try (InProcessWriter next = writer(AFTER)) {
            awaitApplied(next);
        }

        // Then
        BigDecimal ten = BigDecimal.TEN;
        assertThat(buckets.measure("labels", "events"))
                .isEqualTo(Map.of("old day#" + TIME, ten, "new,here day#" + TIME, ten));
        assertThat(buckets.measure("granularities", "events")).isEqualTo(Map.of("old hour#" + TIME, ten, "old day#" + TIME, ten,
                "new day#" + TIME, ten, "new month#2026-11-01T00:00:00Z", ten));
        assertThat(buckets.measure("shards", "events")).isEqualTo(Map.of("old day#" + TIME, ten, "new day#" + TIME, ten));
        assertThat(buckets.measure("ids", "events"))
                .isEqualTo(deleted ? Map.of("old day#" + TIME, ten, "new day#" + TIME, ten) : Map.of());
        requireNoDeadLetters();
    }

    /** Ten messages of each type. */
    private void send(List<String> types, String item) {
        List<String> bodies = new ArrayList<>();
        for (String type : types) {
            for (int i = 0; i < 10; i++) {
                bodies.add("{\"type\":\"" + type + "\",\"id\":\"" + item + i + "\",\"time\":\"" + TIME
                        + "\",\"attributes\":{\"item\":\"" + item + "\",\"place\":\"here\"}}");
            }
        }
        queue.sendAll(bodies);
    }

    private InProcessWriter writer(String datasets) {
        try {
            Path file = Files.writeString(Files.createTempFile(folder, "datasets", ".yaml"), datasets);
            return new InProcessWriter(file, settings, flowSettings, aws.sqs(), intercepted.client());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What it sends to the table does not arrive any more, and its messages become visible once no receive waits. */
    private void kill(InProcessWriter writer) {
        intercepted.cut();
        writer.drain(Duration.ofSeconds(3));
    }

    private void awaitEmpty() {
        await().atMost(PATIENCE).until(() -> queue.size() == 0);
    }

    private void awaitApplied(InProcessWriter writer) {
        awaitEmpty();
        await().atMost(PATIENCE).until(() -> writer.counter("windrow.writer.journal.abandoned") == 0
                && writer.counter("windrow.writer.journal.recovering") == 0 && unapplied() == 0);
    }

    private long unapplied() {
        return buckets.lanes().stream()
                .filter(lane -> !lane.get("position").n().equals(lane.get("applied").n())).count();
    }

    private void requireNoDeadLetters() {
        assertThat(new TestQueue(aws.sqs(), queues.deadLetterUrl()).size()).isZero();
    }
}
