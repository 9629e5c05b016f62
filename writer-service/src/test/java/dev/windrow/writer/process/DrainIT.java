package dev.windrow.writer.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.AutoClose;
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

/** A writer that is asked to end by SIGTERM, as by an orchestrator: while it has much to do, nothing, or not started. */
@Timeout(300)
class DrainIT {

    /** The grace period of Kubernetes, for a drain that may take a sixth of it. */
    private static final Duration GRACE = Duration.ofSeconds(30);
    /** So long that messages which are not handed back stay hidden for the whole test. */
    private static final Duration LONG_VISIBILITY = Duration.ofMinutes(10);
    private static final FaultPlan SLOW = FaultPlan
            .always(new Fault.DelayBefore(Duration.ofMillis(150), new Fault.Pass()));
    private static final String[] WRITES = { "TransactWriteItems", "UpdateItem" };
    private static final int WRITES_BEFORE = 5;
    /** Of some hundred messages. */
    private static final String LITTLE_MEMORY = "2M";
    private static final Pattern HANDED_BACK = Pattern
            .compile("drained; SQS will redeliver returned messages: messages=(\\d+)");

    @AutoClose
    private static LocalAws aws = LocalAws.start(LocalAwsOptions.forTests());

    @Tag("long")
    @Test
    void handsBackWhatItCannotFinish_whenTerminatedUnderLoad() {
        // given: a writer with full buffers before a slow table
        try (WriterSite site = WriterSite.open(aws, "drain", LONG_VISIBILITY)) {
            WriterSlot slot = site.slot();
            slot.use(slot.options().with("windrow.writer.drain-timeout", "5s"));
            // the table does not even answer after some writes, long before all of them
            FaultPlan hanging = FaultPlan.always(new Fault.Hang(new CompletableFuture<>()));
            slot.dynamoDb().use(SLOW.first(WRITES_BEFORE, hanging).onlyFor(WRITES));
            WriterProcess first = startUnderLoad(site, slot, site.traffic.votes(2_000));

            // when
            await("writes without answer").atMost(WriterSite.LIMIT).until(() -> slot.dynamoDb().audit().faults("hang") > 0);
            first.terminate();
            int exit = first.awaitExit(GRACE);

            // then: everything is either done or visible again at once
            assertThat(site.queue.hidden()).as("messages still hidden").isZero();
            assertThat(returnedToQueue(first)).as("messages handed back").isPositive();
            assertThat(site.queue.visible()).as("messages left").isGreaterThanOrEqualTo(returnedToQueue(first));
            assertThat(exit).isEqualTo(WriterProcess.TERMINATED);

            // and: the next writer goes on where it ended
            requireExactWithAnother(slot, site);
        }
    }

    @Tag("long")
    @Test
    void finishesWhatItHolds_whenTerminatedUnderLoad() {
        // given: a writer with full buffers, and many more messages in the queue
        try (WriterSite site = WriterSite.open(aws, "drain-in-time", LONG_VISIBILITY)) {
            WriterSlot slot = site.slot();
            slot.use(slot.options().with("windrow.writer.source.max-bytes", LITTLE_MEMORY));
            slot.dynamoDb().use(SLOW.onlyFor(WRITES));
            WriterProcess first = startUnderLoad(site, slot, site.traffic.messages(8_000));

            // when
            first.terminate();
            int exit = first.awaitExit(GRACE);

            // then
            assertThat(site.queue.hidden()).as("messages still hidden").isZero();
            assertThat(first.log()).contains("drained; SQS will redeliver returned messages: messages=0");
            assertThat(site.queue.visible()).as("messages left").isPositive();
            assertThat(exit).isEqualTo(WriterProcess.TERMINATED);
            requireExactWithAnother(slot, site);
        }
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
            assertThat(writer.log()).doesNotContain("ERROR", "receiving", "process exits", "\tat ");
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

    private static WriterProcess startUnderLoad(WriterSite site, WriterSlot slot, List<String> messages) {
        site.queue.sendAll(messages);
        WriterProcess writer = slot.start().awaitReady();
        await("load").atMost(WriterSite.LIMIT).until(() -> slot.dynamoDb().audit().faults("delay-before") >= WRITES_BEFORE);
        assertThat(site.queue.hidden()).as("messages held when asked to end").isPositive();
        return writer;
    }

    private static void requireExactWithAnother(WriterSlot slot, WriterSite site) {
        slot.dynamoDb().use(FaultPlan.none());
        slot.start();
        site.awaitDrained();
        site.requireExact();
    }

    private static int returnedToQueue(WriterProcess writer) {
        Matcher matcher = HANDED_BACK.matcher(writer.log());
        return matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
    }
}
