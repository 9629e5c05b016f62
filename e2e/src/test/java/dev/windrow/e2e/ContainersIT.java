package dev.windrow.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.Random;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;

/** What is sent is counted, once, whatever happens to the containers. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ContainersIT {

    private static final Duration POLL = Duration.ofMillis(500);

    private final long seed = Long.getLong("windrow.seed", new Random().nextLong());
    private @Nullable Stack stack;
    private @Nullable Clicks clicks;
    private @Nullable GatherClient answers;

    @BeforeAll
    void start() {
        assumeTrue(!Boolean.getBoolean("windrow.e2e.skip") && DockerClientFactory.instance().isDockerAvailable(),
                "SKIPPED: no Docker engine answers, so nothing of the images is tested");
        System.out.println("-Dwindrow.seed=" + seed);
        stack = Stack.start();
        clicks = new Clicks(stack.sqs(), seed);
        answers = new GatherClient(stack.gather());
    }

    @AfterAll
    void stop() {
        if (clicks != null) {
            clicks.close();
        }
        if (stack != null) {
            stack.containers().forEach(container -> System.out.println(container.getLogs()));
            stack.close();
        }
    }

    /** Every story ends so: the queue is empty, the writers hold nothing, and all answers are exact. */
    @AfterEach
    void everythingSentIsCountedOnce() {
        drained();
        for (Writer writer : new Writer[] { stack.first(), stack.second() }) {
            await().atMost(Timeouts.DRAIN).pollInterval(POLL).ignoreExceptions()
                    .until(() -> writer.metric("windrow_writer_journal_waiting")
                            + writer.metric("windrow_writer_journal_cells") + writer.metric("windrow_writer_journal_abandoned")
                            + writer.metric("windrow_writer_journal_recovering") == 0);
        }
        // What a killed writer had claimed is applied by the other once the lease is over.
        await().atMost(Timeouts.DRAIN).pollInterval(POLL).untilAsserted(() -> clicks.expected()
                .forEach((label, sum) -> assertThat(answers.totals(label)).as(label).isEqualTo(sum)));
        await().atMost(Timeouts.ANSWER).pollInterval(POLL)
                .untilAsserted(() -> assertThat(answers.buckets()).isEqualTo(clicks.expected()));
    }

    @Test
    void imagesRunWithoutRoot() {
        for (GenericContainer<?> container : stack.containers()) {
            var inspected = DockerClientFactory.instance().client().inspectContainerCmd(container.getContainerId()).exec();

            assertThat(inspected.getConfig().getUser()).isEqualTo("1001:0");
            assertThat(inspected.getConfig().getLabels()).containsEntry("org.opencontainers.image.licenses", "Apache-2.0");
            assertThat(inspected.getHostConfig().getReadonlyRootfs()).isTrue();
            assertThat(inspected.getConfig().getEntrypoint()).startsWith("java");
        }
    }

    @Test
    void eventsBecomeAnswers() {
        clicks.send(5);
    }

    @Test
    void aKilledWritersMessagesAreCountedByTheOther() {
        clicks.send(20);
        busy(stack.first());

        stack.first().kill();
        clicks.send(5);
        drained();
        stack.first().startAgain();
    }

    @Test
    void aPausedWriterCountsNothingAgainWhenItGoesOn() {
        clicks.send(20);
        busy(stack.second());

        stack.second().pause();
        clicks.send(5);
        drained();
        stack.second().goOn();
    }

    @Test
    void aWriterCutOffAndHealedCountsNothingTwice() {
        clicks.send(20);
        busy(stack.second());

        stack.second().cutOff();
        clicks.send(5);
        drained();
        stack.second().heal();
    }

    /** The writer has messages in hand: whatever happens to it now happens in the middle of its work. */
    private void busy(Writer writer) {
        await().atMost(Timeouts.ANSWER).pollInterval(Duration.ofMillis(20)).ignoreExceptions().until(() -> {
            if (writer.metric("windrow_writer_journal_waiting") > 0) {
                return true;
            }
            clicks.send(1);
            return false;
        });
    }

    private void drained() {
        await().atMost(Timeouts.DRAIN).pollInterval(POLL).until(() -> clicks.unfinished() == 0);
    }
}
