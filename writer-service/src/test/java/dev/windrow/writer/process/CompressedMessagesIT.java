package dev.windrow.writer.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.writer.testing.Gzip;

/** Ordinary messages that are small in the queue and large on the heap: a writer counts them all within its memory. */
class CompressedMessagesIT {

    private static final Map<String, String> PACKED = Map.of("content-encoding", "gzip");
    private static final long MEGABYTE = 1_024 * 1_024;
    private static final int TEXT_BYTES = 15_000_000;
    private static final int EVENT_BYTES = 130;
    private static final int KINDS = 3;
    private static final int NOTIFICATIONS = 100;
    /** As many receives as a message needs to be a suspect, and more. */
    private static final int RECEIVES = 5;
    /** As many messages are decoded at a time. */
    private static final int PROCESSORS = 8;
    /** The default of {@code windrow.writer.source.max-bytes}. */
    private static final double BUDGET = 64 * MEGABYTE;
    private static final double MOST_OF_HEAP = 0.8;
    private static final Duration LIMIT = Duration.ofMinutes(10);

    @AutoClose
    private static LocalAws aws;

    @BeforeAll
    static void startServers() {
        aws = LocalAws.start(LocalAwsOptions.forTests());
    }

    @Tag("slow")
    @Test
    @Timeout(900)
    void countsEightMessagesThatWereReceivedOften() {
        try (WriterSite site = WriterSite.open(aws, "compressed", Duration.ofSeconds(60))) {
            for (int i = 0; i < 8; i++) {
                site.queue.send(Gzip.base64(lines(site)), PACKED);
            }
            site.queue.receiveAll(RECEIVES, 8);
            requireCounted(site, 256);
        }
    }

    @ParameterizedTest(name = "{0} MB, received {1} times before")
    @CsvSource({ "128, 0", "128, 10", "256, 0", "256, 10", "512, 0", "512, 10" })
    @Tag("long")
    @Timeout(1_800)
    void countsMixedMessages(int heapMegabytes, int receives) {
        try (WriterSite site = WriterSite.open(aws, "compressed-" + heapMegabytes + "-" + receives, Duration.ofSeconds(60))) {
            List<Body> all = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                all.add(new Body(Gzip.base64(lines(site)), PACKED));
                all.add(new Body(notification(Gzip.base64(lines(site))), Map.of()));
            }
            for (int i = 0; i < 3; i++) {
                all.add(new Body(Gzip.base64(notifications(site)), PACKED));
            }
            all.add(new Body(site.traffic.manyLabels(1, 2_903).get(0), Map.of()));
            while (all.size() < 200) {
                site.traffic.messages(10).forEach(body -> all.add(new Body(body, Map.of())));
            }
            Collections.shuffle(all, site.random);
            all.forEach(body -> site.queue.send(body.text, body.attributes));
            site.queue.receiveAll(receives, all.size());
            requireCounted(site, heapMegabytes);
        }
    }

    private record Body(String text, Map<String, String> attributes) {
    }

    private static void requireCounted(WriterSite site, int heapMegabytes) {
        WriterSlot slot = site.slot();
        slot.use(slot.options().without("windrow.writer.aggregate").withHeap(heapMegabytes)
                // Else the test waits five minutes for these buckets alone.
                .with("windrow.writer.journal.write-every.forever", "1s")
                .withEnvironment("JAVA_TOOL_OPTIONS", "-XX:ActiveProcessorCount=" + PROCESSORS));
        WriterProcess process = slot.start().awaitReady();

        double[] counted = { 0 };
        await("messages").atMost(LIMIT).until(() -> {
            counted[0] = Math.max(counted[0], process.metric("windrow_writer_bytes_in_flight", ""));
            return site.queue.size() == 0;
        });
        site.awaitDrained(LIMIT);

        double live = process.liveHeapMegabytes();
        System.out.printf("%s: live heap at most %.0f MB of %d, %.0f MB counted%n", site.options().name(), live, heapMegabytes,
                counted[0] / MEGABYTE);
        assertThat(process.isAlive()).isTrue();
        assertThat(live).isLessThanOrEqualTo(MOST_OF_HEAP * heapMegabytes);
        assertThat(counted[0]).isPositive().isLessThanOrEqualTo(BUDGET);
        assertThat(site.deadLetters.size()).isZero();
        assertThat(site.table.buckets().equals(site.traffic.expected())).as("exact").isTrue();
    }

    /** 15 MB of events that compress well. */
    private static String lines(WriterSite site) {
        return site.traffic.lines(KINDS, TEXT_BYTES / (KINDS * EVENT_BYTES));
    }

    /** Lines that are notifications of one compressed event each. */
    private static String notifications(WriterSite site) {
        String padding = " ".repeat((int) MEGABYTE);
        return site.traffic.lines(NOTIFICATIONS, 1).lines().map(event -> notification(Gzip.base64(event + padding)))
                .collect(Collectors.joining("\n"));
    }

    private static String notification(String message) {
        return "{\"Type\":\"Notification\",\"TopicArn\":\"t\",\"Message\":\"" + message + "\",\"MessageAttributes\":{"
                + "\"content-encoding\":{\"Type\":\"String\",\"Value\":\"gzip\"}}}";
    }
}
