package dev.windrow.writer.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.testing.Seeds;
import dev.windrow.writer.process.HostileTraffic.Hostile;

/**
 * The messages that take the most time and memory, beside good ones, under the heap that the image has by default. Runs on
 * demand, as long as the system property says, such as {@code -Dwindrow.hostile=PT10M}.
 */
@Tag("long")
@EnabledIfSystemProperty(named = HostileMessagesIT.DURATION, matches = "P.+")
@Timeout(7_200)
class HostileMessagesIT {

    static final String DURATION = "windrow.hostile";

    /** Half of the chart's 512 MiB, see the image's entry point. */
    private static final int IMAGE_HEAP_MEGABYTES = 256;
    private static final long MEGABYTE = 1_024 * 1_024;
    /** As many as take 64 MiB once they are decoded, and more. */
    private static final int BACKLOG = 60;
    private static final int LABELS = 2_903;
    private static final int MAX_WAITING = 100;
    /** DynamoDB Local takes a few hundred transactions a second; the backlog needs tens of thousands. */
    private static final Duration LIMIT = Duration.ofMinutes(40);

    @Test
    void countsAllGoodEventsAndGivesAReasonForAllBadOnes() {
        // given: a backlog of messages with as many labels as fit
        Duration length = Duration.parse(System.getProperty(DURATION));
        Random random = new Random(Seeds.seed("hostile"));
        Traffic traffic = new Traffic(random);
        HostileTraffic hostile = new HostileTraffic(random);
        Map<String, Integer> expected = new TreeMap<>();
        Map<String, String> found = new HashMap<>();
        try (LocalAws aws = LocalAws.start(LocalAwsOptions.forTests());
                WriterSite site = WriterSite.open(aws, "hostile", Duration.ofSeconds(60))) {
            WriterSlot slot = site.slot();
            slot.use(slot.options().without("windrow.writer.aggregate").without("windrow.writer.source.max-receive-count")
                    .withHeap(IMAGE_HEAP_MEGABYTES));
            site.send(traffic.manyLabels(BACKLOG, LABELS));
            WriterProcess process = slot.start().awaitReady();

            // when
            long start = System.nanoTime();
            double heap = 0;
            int rounds = 0;
            while (rounds == 0 || System.nanoTime() - start < length.toNanos()) {
                for (Hostile message : hostile.all()) {
                    site.send(message.body(), message.attributes());
                    expected.merge(message.reason(), message.letters(), Integer::sum);
                }
                site.send(traffic.messages(500));
                site.send(traffic.manyLabels(1, LABELS));
                site.send(traffic.manyBuckets(1, LABELS));
                await("work").atMost(LIMIT).until(() -> site.visible() < MAX_WAITING);
                heap = Math.max(heap, process.metric("jvm_memory_used_bytes", "area=\"heap\""));
                site.takeDeadLetters(found);
                rounds++;
            }
            site.awaitDrained(LIMIT);
            site.takeDeadLetters(found);

            // then
            System.out.printf("hostile messages for %s: %d rounds, %d events, %d dead letters, most heap %.0f MB of %d%n",
                    length, rounds, traffic.events(), found.size(), heap / MEGABYTE, IMAGE_HEAP_MEGABYTES);
            assertThat(process.isAlive()).isTrue();
            Map<String, Integer> reasons = new TreeMap<>();
            found.values().forEach(reason -> reasons.merge(reason, 1, Integer::sum));
            assertThat(reasons).isEqualTo(expected);
            assertThat(site.stored()).isEqualTo(traffic.expected());
        }
    }
}
