package dev.windrow.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import com.fasterxml.jackson.databind.JsonNode;

import dev.windrow.testing.Patience;
import dev.windrow.testing.Seeds;

/** A writer that writes hours and days seldom, and a gatherer that is asked in between. */
@Tag("slow")
class LaggingBucketsIT {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final int BATCHES = 3;
    private static final int CLICKS = 400;
    private static final int REFERRERS = 60;
    private static final int LARGEST_ANSWER = 250_000;
    private static final int QUERIES = 60;
    private static final Duration SPAN = Duration.ofHours(20);

    @TempDir
    Path folder;

    private final RandomGenerator random = Seeds.random("LaggingBucketsIT");
    private final List<Click> sent = new ArrayList<>();

    @Test
    void sumsAreExactBeforeCoarseBucketsAreWritten() throws Exception {
        try (Stack stack = Stack.start(ROOT, folder.resolve("logs"),
                Path.of("src/test/resources/log-datasets.yaml").toAbsolutePath(), Ports.free(),
                "-Dwindrow.writer.journal.write-every.hour=50M", "-Dwindrow.writer.journal.write-every.day=1H");
                Replay replay = new Replay(stack.sqs(), System.out)) {
            ServiceClient gather = stack.gather();
            for (int batch = 0; batch < BATCHES; batch++) {
                List<Click> clicks = clicks(Instant.now());
                sent.addAll(clicks);
                replay.send(EventMessages.of(clicks.stream()), Replay.NOBODY);
                replay.awaitClaimed();
                Instant claimed = Instant.now();
                Awaitility.await().atMost(Patience.LIMIT).ignoreExceptions()
                        .until(() -> asOf(totals(gather, "")).isAfter(claimed));

                for (int i = 0; i < QUERIES; i++) {
                    checkTotals(gather);
                }
            }

            JsonNode days = gather.get("/api/v1/datasets/clicks/buckets?granularity=day");
            assertThat(days.get("items")).as("nothing is written yet").isEmpty();
            assertThat(asOf(days)).isBefore(Instant.now().minusSeconds(1));
            assertThat(asOf(days)).isBefore(asOf(totals(gather, "")));
        }
    }

    /** Spread over the time before the end. */
    private List<Click> clicks(Instant end) {
        return random.longs(CLICKS, 0, SPAN.toMillis()).sorted().mapToObj(millis -> {
            String referrer = "https://site-" + random.nextInt(REFERRERS) + ".example/";
            Long bytes = random.nextInt(10) == 0 ? null : (long) random.nextInt(LARGEST_ANSWER);
            return new Click(end.minus(SPAN).plusMillis(millis), referrer, "/", "-", 1, bytes);
        }).toList();
    }

    /** Of a random range of whole minutes. */
    private void checkTotals(ServiceClient gather) {
        Instant from = Instant.now().minusSeconds(random.nextLong(SPAN.toSeconds())).truncatedTo(ChronoUnit.MINUTES);
        Instant to = random.nextBoolean() ? Instant.now().plusSeconds(3_600).truncatedTo(ChronoUnit.MINUTES)
                : from.plusSeconds(60 + random.nextLong(SPAN.toSeconds())).truncatedTo(ChronoUnit.MINUTES);
        List<Click> inside = sent.stream().filter(click -> {
            Instant minute = click.time().truncatedTo(ChronoUnit.MINUTES);
            return !minute.isBefore(from) && minute.isBefore(to);
        }).toList();

        JsonNode totals = totals(gather, "?from=" + from + "&to=" + to + "&explain=true");

        assertThat(totals.at("/measures/events").asLong()).as("%s", totals).isEqualTo(inside.size());
        assertThat(totals.at("/measures/bytes").asLong()).as("%s", totals)
                .isEqualTo(inside.stream().filter(click -> click.bytes() != null).mapToLong(Click::bytes).sum());
        assertThat(totals.get("warnings")).isEmpty();
    }

    private static JsonNode totals(ServiceClient gather, String query) {
        return gather.get("/api/v1/datasets/clicks/totals" + query);
    }

    private static Instant asOf(JsonNode answer) {
        return Instant.parse(answer.get("asOf").asText());
    }
}
