package dev.windrow.writer.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.local.fault.Fault;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.testing.Patience;

/** A writer that is asked to end by SIGTERM, as by an orchestrator: while it has nothing to do, or has not started. */
@Timeout(300)
class DrainIT {
    @AutoClose
    private static LocalAws aws;

    @BeforeAll
    static void startServers() {
        aws = LocalAws.start(LocalAwsOptions.forTests());
    }

    /** As where a pod is replaced whose queue was misspelled: what fails as connections are closed is no failure to start. */
    @Tag("slow")
    @ParameterizedTest
    @ValueSource(booleans = { true, false })
    void endsInOrderAndWithoutAnError_whenTerminatedWhileItStarts(boolean hangs) {
        // given a writer that waits for a queue, or for an answer about it
        try (WriterSite site = WriterSite.open(aws, "stop-at-start-" + hangs, WriterSite.VISIBILITY)) {
            WriterSlot slot = site.slot();
            slot.use(slot.options().with("windrow.writer.queue", hangs ? "events-stop-at-start-true" : "missing"));
            CompletableFuture<Void> never = new CompletableFuture<>();
            slot.sqs().use(hangs ? FaultPlan.always(new Fault.Hang(never)) : FaultPlan.none());
            WriterProcess writer = slot.start();
            await("its first question").atMost(WriterSite.LIMIT).until(() -> slot.sqs().audit().requests("GetQueueUrl") > 0);

            // when
            writer.terminate();

            // then
            assertThat(writer.awaitExit(Patience.LIMIT)).as("exit code, see %s", writer).isEqualTo(WriterProcess.TERMINATED);
            // Netty itself may complain of a connection in use that the SDK returns after the event loops have ended.
            assertThat(writer.log().lines()).filteredOn(line -> !line.contains(" [io.netty."))
                    .noneMatch(line -> Stream.of("ERROR", "receiving", "process exits", "\tat dev.windrow")
                            .anyMatch(line::contains));
        }
    }

    @Tag("slow")
    @Test
    void endsInOrder_whenTerminated() {
        // given
        try (WriterSite site = WriterSite.open(aws, "normal-stop", WriterSite.VISIBILITY)) {
            site.send(200);
            WriterProcess writer = site.slot().start().awaitReady();
            site.awaitDrained();

            // when
            writer.terminate();

            // then: a supervisor sees no failure, and nothing was left behind
            assertThat(writer.awaitExit(Patience.LIMIT)).as("exit code, see %s", writer).isEqualTo(WriterProcess.TERMINATED);
            assertThat(writer.log()).contains("drained; SQS will redeliver returned messages: messages=0");
            assertThat(site.table.buckets()).isEqualTo(site.traffic.expected());
        }
    }
}
