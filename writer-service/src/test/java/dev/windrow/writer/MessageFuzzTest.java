package dev.windrow.writer;

import static dev.windrow.writer.testing.TestQueue.attributes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.testing.GeneratedCases;
import dev.windrow.testing.Seeds;
import dev.windrow.writer.testing.Buckets;

/**
 * Good, broken and hostile messages through a whole writer: each good event is counted exactly, each bad one is a dead letter
 * with its reason, nothing is stuck; {@code -Dwindrow.fuzz=100000} makes it more of them.
 */
@Timeout(14_400)
class MessageFuzzTest {

    private static final int MESSAGES = GeneratedCases.count("windrow.fuzz", 150, 3_000);
    private static final int AT_A_TIME = 2_000;
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    @AutoClose
    private static LocalAws aws;

    @BeforeAll
    static void startServers() {
        aws = LocalAws.start(LocalAwsOptions.forTests());
    }

    /** A dead letter, by original message and position in it, as there may be two copies. */
    private record Id(String message, String event) {
    }

    private record Found(String reason, String body) {
    }

    @Test
    void countsEveryGoodEventAndSaysOfEveryBadOneWhatIsWrong(@TempDir Path folder) throws IOException {
        // Given
        Path datasets = Files.writeString(folder.resolve("datasets.yaml"), FuzzedMessages.DATASETS);
        FuzzedMessages messages = new FuzzedMessages(Seeds.random("message fuzz"));
        Map<Id, Found> expected = new HashMap<>();
        Map<Id, Found> found = new HashMap<>();
        Buckets buckets;

        // When
        try (InProcessSite site = new InProcessSite(aws, InProcessSite.spec("")).datasets(datasets);
                InProcessWriter writer = site.writer()) {
            for (int sent = 0; sent < MESSAGES; sent += AT_A_TIME) {
                for (int i = sent; i < Math.min(sent + AT_A_TIME, MESSAGES); i++) {
                    FuzzedMessages.Fuzzed message = messages.next();
                    String id = site.queue.send(message.body(), message.attributes());
                    message.letters().forEach(letter -> expected.put(new Id(id, String.valueOf(letter.event())),
                            new Found(letter.reason(), letter.body())));
                }
                await().atMost(PATIENCE).until(() -> site.queue.size() == 0);
                site.deadLetters.drain(letter -> found.put(
                        new Id(attributes(letter).getOrDefault("source-message-id", "null"),
                                attributes(letter).getOrDefault("source-event", "null")),
                        new Found(attributes(letter).get("reason"), letter.body())));
            }
            buckets = site.buckets;
        }

        // Then
        assertThat(without(expected, found)).as("dead letters that are missing").isEmpty();
        assertThat(without(found, expected)).as("dead letters that should not be").isEmpty();
        assertThat(plain(measures(buckets, "events"))).isEqualTo(plain(messages.counts()));
        assertThat(plain(measures(buckets, "bytes"))).isEqualTo(plain(messages.sums()));
        assertThat(plain(measures(buckets, "largest"))).isEqualTo(plain(messages.maxima()));
        assertThat(messages.counts()).isNotEmpty();
        assertThat(expected).isNotEmpty();
    }

    private static Map<Id, Found> without(Map<Id, Found> some, Map<Id, Found> others) {
        Map<Id, Found> left = new HashMap<>(some);
        left.entrySet().removeAll(others.entrySet());
        return left;
    }

    private static Map<String, BigDecimal> measures(Buckets buckets, String measure) {
        Map<String, BigDecimal> all = new TreeMap<>();
        for (String dataset : List.of("clicks", "orders", "recent")) {
            buckets.measure(dataset, measure).forEach((bucket, value) -> all.put(dataset + " " + bucket, value));
        }
        return all;
    }

    private static Map<String, BigDecimal> plain(Map<String, BigDecimal> values) {
        Map<String, BigDecimal> plain = new TreeMap<>();
        values.forEach((bucket, value) -> plain.put(bucket,
                value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros()));
        return plain;
    }
}
