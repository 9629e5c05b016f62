package dev.windrow.writer;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.windrow.aws.NetworkSettings;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.testing.Patience;
import dev.windrow.writer.WriterWiring.FlowSettings;
import dev.windrow.writer.WriterWiring.Transport;
import dev.windrow.writer.queue.QueueResolver;
import dev.windrow.writer.table.JournalConfig;
import dev.windrow.writer.table.StoreConfig;
import dev.windrow.writer.table.TableHealth;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.test.Mock;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.vertx.core.Vertx;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/** One more writer beside the application's own, with its own settings and clients. */
final class InProcessWriter implements AutoCloseable {

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final Vertx vertx = Vertx.vertx();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final TableHealth health = new TableHealth(System::nanoTime);
    private final WriterFlow flow;

    /** As in production, but for the wait of receives, for which a drain waits too. */
    static final FlowSettings FLOW = deniedFor(FlowSettings.DEFAULTS.deniedFor());

    InProcessWriter(Path datasets, Map<String, String> settings, FlowSettings flowSettings, SqsAsyncClient sqs,
            DynamoDbAsyncClient dynamoDb) {
        Map<String, String> all = new HashMap<>(settings);
        all.putIfAbsent("windrow.datasets-file", datasets.toString());
        all.putIfAbsent("windrow.writer.aggregate.max-age", "100ms");
        SmallRyeConfig config = new SmallRyeConfigBuilder().addDiscoveredConverters()
                .withMapping(WriterConfig.class).withMapping(QueueConfig.class)
                .withMapping(StoreConfig.class).withMapping(JournalConfig.class)
                .withSources(new PropertiesConfigSource(all, "test", 100)).build();
        WriterConfig writer = config.getConfigMapping(WriterConfig.class);
        WriterWiring assembly = new WriterWiring(writer, config.getConfigMapping(QueueConfig.class),
                config.getConfigMapping(StoreConfig.class), config.getConfigMapping(JournalConfig.class), flowSettings, sqs,
                new Transport(vertx, NetworkSettings.direct(), writer, sqs, dynamoDb,
                        config.getConfigMapping(QueueConfig.class), config.getConfigMapping(StoreConfig.class), flowSettings),
                registry, new WriterState(), health, ClaimTracing.off());
        flow = assembly.assemble(DatasetsYaml.read(datasets), timer, new Random());
        flow.start(new QueueResolver(sqs).find(List.of(writer.queue()), writer.deadLetterQueue()).await().indefinitely(),
                timer);
    }

    /** That tries an update that the table denies for only so long. */
    static FlowSettings deniedFor(Duration time) {
        FlowSettings usual = FlowSettings.DEFAULTS;
        return new FlowSettings(Duration.ofSeconds(1), usual.errorBackoff(), usual.acknowledge(), usual.deleteAfter(), time);
    }

    double counter(String name) {
        return registry.get(name).meter().measure().iterator().next().getValue();
    }

    /** Of those with a tag; 0 if there is none so far. */
    double counter(String name, String tag, String value) {
        Counter counter = registry.find(name).tag(tag, value).counter();
        return counter == null ? 0 : counter.count();
    }

    /** What readiness would say is wrong with the table; null if nothing. */
    @Nullable
    String tableProblem() {
        return health.problem();
    }

    /** Drains; the number of messages that were handed back. */
    int drain(Duration limit) {
        return flow.drain(limit).await().indefinitely();
    }

    @Override
    public void close() {
        drain(Patience.LIMIT);
        timer.shutdownNow();
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    /** The application in tests need not wait as long for receives when it ends. */
    @Mock
    static class ShortWaits {

        @Produces
        @Singleton
        FlowSettings settings() {
            return FLOW;
        }
    }
}
