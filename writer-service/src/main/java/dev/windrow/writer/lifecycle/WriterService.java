package dev.windrow.writer.lifecycle;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.random.RandomGenerator;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.yaml.DatasetsYaml;
import dev.windrow.writer.flow.WriterFlow;
import dev.windrow.writer.message.Queue;
import dev.windrow.writer.source.Queues;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/**
 * The writer's life: reads the datasets or refuses to start, waits for the queues, runs the flow, and drains it when the
 * process is asked to end.
 */
@ApplicationScoped
public class WriterService {

    private static final Logger LOG = Logger.getLogger(WriterService.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final WriterConfig config;
    private final SqsAsyncClient sqs;
    private final FlowAssembly assembly;
    private final WriterState state;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(WriterService::thread);
    private @Nullable WriterFlow flow;

    WriterService(WriterConfig config, SqsAsyncClient sqs, FlowAssembly assembly, WriterState state) {
        this.config = config;
        this.sqs = sqs;
        this.assembly = assembly;
        this.state = state;
    }

    void start(@Observes StartupEvent event) {
        Datasets datasets = DatasetsYaml.read(config.datasetsFile());
        RandomGenerator random = new Random();
        WriterFlow assembled = assembly.assemble(datasets, timer, random);
        flow = assembled;
        List<String> names = config.queues().orElse(List.of(config.queue()));
        new Queues(sqs).find(names, config.deadLetterQueue())
                .onFailure().invoke(failure -> {
                    LOG.warnf("queues not found yet: queues=%s deadLetterQueue=%s error=%s", names,
                            config.deadLetterQueue(), failure.getMessage());
                    state.waiting(String.valueOf(failure.getMessage()));
                })
                .onFailure().retry().withBackOff(FIRST_PAUSE, LONGEST_PAUSE).indefinitely()
                .subscribe().with(queues -> begin(assembled, datasets, queues));
    }

    private void begin(WriterFlow assembled, Datasets datasets, List<Queue> queues) {
        assembled.start(queues, timer);
        state.running();
        LOG.infof("writer started: datasets=%d table=%s queues=%s deadLetterQueue=%s", datasets.all().size(),
                config.table(), queues.stream().map(Queue::name).toList(), config.deadLetterQueue());
    }

    void stop(@Observes ShutdownEvent event) {
        WriterFlow running = flow;
        if (running != null && state.draining()) {
            LOG.info("draining");
            int left = running.drain(config.drainLimit()).await().atMost(config.drainLimit().multipliedBy(2));
            LOG.infof("drained: handedBack=%d", left);
        }
        timer.shutdownNow();
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "windrow-flow");
        thread.setDaemon(true);
        return thread;
    }
}
