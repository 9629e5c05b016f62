package dev.windrow.writer.process;

import static dev.windrow.writer.testing.TestQueue.attributes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.writer.testing.Gzip;

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
        Map<String, Integer> expected = new TreeMap<>();
        Map<String, String> found = new HashMap<>();
        try (LocalAws aws = LocalAws.start(LocalAwsOptions.forTests());
                WriterSite site = WriterSite.open(aws, "hostile", Duration.ofSeconds(60))) {
            HostileTraffic hostile = new HostileTraffic(site.random);
            WriterSlot slot = site.slot();
            slot.use(slot.options().without("windrow.writer.aggregate").without("windrow.writer.source.max-receive-count")
                    .withHeap(IMAGE_HEAP_MEGABYTES));
            site.queue.sendAll(site.traffic.manyLabels(BACKLOG, LABELS));
            WriterProcess process = slot.start().awaitReady();

            // when
            long start = System.nanoTime();
            double heap = 0;
            int rounds = 0;
            while (rounds == 0 || System.nanoTime() - start < length.toNanos()) {
                for (HostileTraffic.Hostile message : hostile.all()) {
                    site.queue.send(message.body(), message.attributes());
                    expected.merge(message.reason(), message.letters(), Integer::sum);
                }
                site.send(500);
                site.queue.sendAll(site.traffic.manyLabels(1, LABELS));
                site.queue.sendAll(site.traffic.manyBuckets(1, LABELS));
                await("work").atMost(LIMIT).until(() -> site.queue.visible() < MAX_WAITING);
                heap = Math.max(heap, process.metric("jvm_memory_used_bytes", "area=\"heap\""));
                takeDeadLetters(site, found);
                rounds++;
            }
            site.awaitDrained(LIMIT);
            takeDeadLetters(site, found);

            // then
            System.out.printf("hostile messages for %s: %d rounds, %d events, %d dead letters, most heap %.0f MB of %d%n",
                    length, rounds, site.traffic.events(), found.size(), heap / MEGABYTE, IMAGE_HEAP_MEGABYTES);
            assertThat(process.isAlive()).isTrue();
            Map<String, Integer> reasons = new TreeMap<>();
            found.values().forEach(reason -> reasons.merge(reason, 1, Integer::sum));
            assertThat(reasons).isEqualTo(expected);
            assertThat(site.table.buckets()).isEqualTo(site.traffic.expected());
        }
    }

    /** Takes all dead letters, and notes the reason of each under the message and the event that it was. */
    private static void takeDeadLetters(WriterSite site, Map<String, String> reasons) {
        site.deadLetters.drain(letter -> {
            Map<String, String> attributes = attributes(letter);
            String id = attributes.getOrDefault("source-message-id", "none") + " "
                    + attributes.getOrDefault("source-event", "none");
            reasons.put(id, attributes.get("reason"));
        });
    }

    /** Messages that take as much time or memory as messages can, and none of which can be counted. */
    private static final class HostileTraffic {

        private static final Map<String, String> PACKED = Map.of("content-encoding", "gzip");
        private static final int UNPACKED_LIMIT = 16 * 1_024 * 1_024;
        private static final int LARGE = 120_000;
        /** As many different parts as fit into a message once they are packed. */
        private static final int DIFFERENT = 60_000;

        private final List<Hostile> all;

        /**
         * A message.
         *
         * @param letters how many dead letters it becomes
         * @param reason the reason of each
         */
        record Hostile(String body, Map<String, String> attributes, int letters, String reason) {
        }

        HostileTraffic(RandomGenerator random) {
            String run = Long.toHexString(random.nextLong());
            all = List.of(
                    new Hostile(repeated("[", "1,", LARGE, "1]"), Map.of(), 1, "not-an-object"),
                    new Hostile(repeated("{}", "\n1", LARGE, ""), Map.of(), 1, "missing-field"),
                    new Hostile(repeated("", "[", 2 * LARGE, ""), Map.of(), 1, "not-json"),
                    new Hostile(repeated("", "<\u00e4>", LARGE / 2, ""), Map.of(), 1, "not-json"),
                    new Hostile(repeated("[", "\"" + "x".repeat(2_000) + "\",", 99, "7]"), Map.of(), 100, "not-an-object"),
                    packed(repeated("[", "1,", UNPACKED_LIMIT / 2 - 2, "1]"), "not-an-object"),
                    packed(repeated("", " ", UNPACKED_LIMIT + 1, ""), "invalid-envelope"),
                    packed(numbered("{", "\"" + run + "%d\":1,", DIFFERENT, "\"x\":1}"), "missing-field"),
                    packed(numbered("[", "{\"type\":\"click\",\"time\":1,\"attributes\":{\"referrer\":\"" + run + "%d\"}},",
                            DIFFERENT,
                            "7]"), "message-too-large"),
                    packed(numbered("{\"Type\":\"Notification\",\"TopicArn\":\"t\",\"Message\":\"{}\",\"MessageAttributes\":{",
                            "\"" + run + "%d\":{\"Value\":\"x\"},", DIFFERENT, "\"x\":{}}}"), "missing-field"));
        }

        List<Hostile> all() {
            return all;
        }

        private static Hostile packed(String text, String reason) {
            return new Hostile(Gzip.base64(text), PACKED, 1, reason);
        }

        private static String repeated(String begin, String part, int times, String end) {
            return begin + part.repeat(times) + end;
        }

        private static String numbered(String begin, String part, int times, String end) {
            IntFunction<String> numbered = i -> part.replace("%d", Integer.toString(i));
            return IntStream.range(0, times).mapToObj(numbered).collect(Collectors.joining("", begin, end));
        }
    }
}
