package dev.windrow.writer.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import dev.windrow.dataset.Delivery;
import dev.windrow.local.LocalAws;
import dev.windrow.local.fault.Fault;
import dev.windrow.local.fault.FaultPlan;

/** A writer that is asked to end while it has more to do than it can finish. */
@Timeout(900)
class DrainIT {

    /** The grace period of Kubernetes, for a drain that may take a third of it. */
    private static final Duration GRACE = Duration.ofSeconds(30);
    /** So long that messages which are not handed back stay hidden for the whole test. */
    private static final Duration LONG_VISIBILITY = Duration.ofMinutes(10);
    private static final Duration SLOW = Duration.ofMillis(150);
    private static final int WRITES_BEFORE = 10;
    private static final int SIGTERM_EXIT = 143;
    private static final Pattern HANDED_BACK = Pattern.compile("drained: handedBack=(\\d+)");

    @Test
    void handsBackWhatItCannotFinish_whenTerminatedUnderLoad() {
        // given: a writer with full buffers before a slow table
        Random random = Seed.random("drain");
        Traffic traffic = new Traffic(random);
        try (LocalAws aws = Servers.start();
                WriterSite site = WriterSite.open(aws, "drain", Delivery.EXACTLY_ONCE, LONG_VISIBILITY)) {
            WriterSlot slot = site.slot();
            slot.use(slot.options().with("windrow.drain-limit", "10s"));
            slot.dynamoDb().use(FaultPlan.always(new Fault.DelayBefore(SLOW, new Fault.Pass()))
                    .onlyFor("TransactWriteItems", "UpdateItem"));
            site.send(traffic.messages(20_000));
            WriterProcess first = slot.start().awaitReady();
            await("load").atMost(WriterSite.LIMIT)
                    .until(() -> slot.dynamoDb().audit().faults("delay-before") > WRITES_BEFORE);
            int held = site.hidden();

            // when: the table does not even answer any more
            slot.dynamoDb().use(FaultPlan.always(new Fault.Hang(new CompletableFuture<>())));
            first.terminate();
            int exit = first.awaitExit(GRACE);

            // then: everything is either done or visible again at once
            int left = site.visible();
            System.out.println("drain: held " + held + ", left " + left + ", exit code " + exit);
            assertThat(site.hidden()).as("messages still hidden").isZero();
            assertThat(held).as("messages held when asked to end").isPositive();
            assertThat(left).as("messages left").isPositive();
            assertThat(handedBack(first)).as("messages handed back").isPositive();
            assertThat(exit).isIn(0, SIGTERM_EXIT);

            // and: the next writer goes on where it ended
            slot.dynamoDb().use(FaultPlan.none());
            slot.start();
            site.awaitDrained();
            assertThat(site.stored()).isEqualTo(traffic.expected());
            assertThat(site.deadLetters()).isZero();
        }
    }

    private static int handedBack(WriterProcess writer) {
        Matcher matcher = HANDED_BACK.matcher(writer.log());
        return matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
    }
}
