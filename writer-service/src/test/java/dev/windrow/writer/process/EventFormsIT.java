package dev.windrow.writer.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.testing.Seeds;
import dev.windrow.writer.process.StoredTable.Bucket;
import dev.windrow.writer.process.StoredTable.Measures;

/** Messages whose events are elements of a field, under faults. */
@Tag("slow")
@Timeout(300)
class EventFormsIT {

    private static final int EVENTS = 250;
    private static final int MESSAGES = 4;
    private static final int TIMES = 3;
    private static final Pattern FINGERPRINT = Pattern.compile("windrow\\.writer\\.accept-datasets=(\\w+)");

    private static final String DATASETS = """
            windrow:
              datasets:
                uploads:
                  event-type: upload
                  label: [bucket]
                  granularities: [hour]
                  measures: {events: {type: count}, bytes: {type: sum, attribute: size}}
              events:
                - type: upload
                  each: Records
                  when: {eventSource: "aws:s3"}
                  time: eventTime
                  attributes: {bucket: s3.bucket.name, size: s3.object.size}
            """;

    @TempDir
    Path folder;

    private final SortedMap<Bucket, Measures> expected = new TreeMap<>();

    @Test
    void elementsCountOnceAndBadOnesAreLettersThatCanBeReplayedAlone() throws IOException {
        Random random = new Random(Seeds.seed("forms"));
        try (LocalAws aws = LocalAws.start(LocalAwsOptions.forTests());
                WriterSite site = WriterSite.open(aws, "forms", WriterSite.VISIBILITY, DATASETS)) {
            // given: a writer that is killed at a write, and a queue that delivers each message three times
            Redelivery redelivery = new Redelivery(TIMES, random, site::redeliver);
            List<WriterSlot> slots = List.of(site.slot(), site.slot());
            CompletableFuture<WriterSlot> victim = new KillMoment("UpdateItem", 4, true).arm(slots);
            slots.forEach(slot -> slot.sqs().use(redelivery.to(slot.options().name())));
            slots.forEach(WriterSlot::start);

            // when
            List<String> messages = new ArrayList<>();
            for (int i = 0; i < MESSAGES; i++) {
                messages.add(message(random, i == 0));
            }
            site.queue.sendAll(messages);
            await().atMost(WriterSite.LIMIT).until(victim::isDone);
            victim.join().start();
            site.awaitDrained();

            // then
            assertThat(redelivery.leastDeliveries()).isGreaterThanOrEqualTo(TIMES);
            assertThat(site.table.buckets()).isEqualTo(expected);
            Map<String, Letter> letters = letters(site);
            assertThat(letters.values()).extracting(Letter::event).containsExactlyInAnyOrder("7", "8", "249");

            // when a default mends them, and each letter is sent twice, as two replays may do
            Path mended = Files.writeString(folder.resolve("mended.yaml"),
                    DATASETS.replace("bucket: s3.bucket.name", "bucket: {path: s3.bucket.name, default: unnamed}"));
            slots.forEach(slot -> slot.process().terminate());
            slots.forEach(slot -> slot.process().awaitExit(WriterSite.LIMIT));
            restart(site, mended);
            for (Letter letter : letters.values()) {
                site.queue.send(letter.body, letter.attributes);
                site.queue.send(letter.body, letter.attributes);
                count("unnamed", 1);
            }
            site.awaitDrained();

            // then
            assertThat(site.table.buckets()).isEqualTo(expected);
            assertThat(site.deadLetters.size()).isZero();
        }
    }

    /** A form is part of what the table was written with. */
    private static void restart(WriterSite site, Path datasets) {
        WriterSlot slot = site.slot();
        slot.use(slot.options().with("windrow.datasets-file", datasets));
        WriterProcess refused = slot.start();
        assertThat(refused.awaitExit(WriterSite.LIMIT)).isNotZero();
        assertThat(refused.log()).contains("datasets-changed", "uploads: events: expected '");
        Matcher fingerprint = FINGERPRINT.matcher(refused.log());
        assertThat(fingerprint.find()).isTrue();
        slot.use(slot.options().with("windrow.writer.accept-datasets", fingerprint.group(1)));
        slot.start().awaitReady();
    }

    private String message(Random random, boolean hasBad) {
        List<String> elements = new ArrayList<>();
        for (int i = 0; i < EVENTS; i++) {
            boolean bad = hasBad && (i == 7 || i == 8 || i == EVENTS - 1);
            String bucket = "b" + random.nextInt(12);
            int size = bad ? 1 : random.nextInt(1_000_000);
            elements.add(
                    """
                            {"eventSource":"aws:s3","eventTime":"2026-11-20T10:%02d:00.000Z","s3":{"bucket":{%s},"object":{"size":%d}}}"""
                            .formatted(random.nextInt(60), bad ? "" : "\"name\":\"" + bucket + "\"", size));
            if (!bad) {
                count(bucket, size);
            }
        }
        return "{\"Records\":[" + String.join(",", elements) + "]}";
    }

    private void count(String bucket, int bytes) {
        expected.merge(new Bucket("uploads", bucket, "hour", "2026-11-20T10:00:00Z"),
                Measures.of(BigDecimal.ONE, BigDecimal.valueOf(bytes), null, null), Measures::plus);
    }

    private static Map<String, Letter> letters(WriterSite site) {
        Map<String, Letter> letters = new HashMap<>();
        site.deadLetters.drain(letter -> {
            Map<String, String> attributes = letter.messageAttributes().entrySet().stream()
                    .collect(Collectors.toMap(Map.Entry::getKey, attribute -> attribute.getValue().stringValue()));
            assertThat(attributes).containsEntry("reason", "missing-label");
            assertThat(attributes.get("detail")).startsWith("s3.bucket.name: expected a value");
            assertThat(letter.body()).startsWith("{\"Records\":[{\"eventSource\"");
            // A redelivery may have sent a letter again; it is the same one.
            letters.put(attributes.get("source-message-id") + attributes.get("source-event"), new Letter(
                    attributes.get("source-event"), letter.body(), attributes));
        });
        assertThat(new TreeSet<>(letters.keySet())).hasSize(3);
        return letters;
    }

    private record Letter(String event, String body, Map<String, String> attributes) {
    }
}
