package dev.windrow.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * The packaged services with an access log, from the queue to the API. What the log says is added up here from its text
 * alone, with nothing of Windrow's.
 */
@TestMethodOrder(OrderAnnotation.class)
@Tag("slow")
class ReplayIT {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path REAL_LOG = ROOT.resolve("../shared/data/apache_combined.log").normalize();
    private static final DateTimeFormatter LOG_TIME = DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ENGLISH);
    private static final Map<String, ChronoUnit> GRANULARITIES = Map.of("minute", ChronoUnit.MINUTES, "hour",
            ChronoUnit.HOURS, "day", ChronoUnit.DAYS);

    /** One bucket: granularity, start and referrer, in the order of the API's answers. */
    private record Bucket(String start, String referrer) implements Comparable<Bucket> {
        @Override
        public int compareTo(Bucket other) {
            int byStart = start.compareTo(other.start);
            return byStart != 0 ? byStart
                    : Arrays.compareUnsigned(referrer.getBytes(StandardCharsets.UTF_8),
                            other.referrer.getBytes(StandardCharsets.UTF_8));
        }
    }

    private record Sums(long events, long bytes, long largest) {
        Sums plus(Sums other) {
            return new Sums(events + other.events, bytes + other.bytes, Math.max(largest, other.largest));
        }
    }

    @TempDir
    static Path folder;

    /** What was replayed so far, as each log adds to the same table. */
    private static final List<Path> REPLAYED = new ArrayList<>();
    @AutoClose
    private static Stack stack;

    @BeforeAll
    static void startServices() throws Exception {
        stack = Stack.start(ROOT, folder.resolve("logs"), Path.of("src/test/resources/log-datasets.yaml").toAbsolutePath(),
                Ports.free());
    }

    @Test
    @Order(2)
    void aSmallLogIsAnsweredExactly() throws Exception {
        replay(Path.of("src/test/resources/small.log"));

        assertAnsweredExactly();
    }

    @Test
    @Order(1)
    void aLogOfTenThousandRequestsIsAnsweredExactly() throws Exception {
        assumeTrue(Files.isReadable(REAL_LOG), "no " + REAL_LOG.getFileName() + " beside the project");
        assertThat(Files.readAllLines(REAL_LOG, StandardCharsets.ISO_8859_1)).hasSize(10_000);
        replay(REAL_LOG);

        assertAnsweredExactly();
    }

    private static void replay(Path log) throws Exception {
        try (Replay replay = new Replay(stack.sqs(), System.out);
                Stream<Click> clicks = ApacheLog.lines(log).flatMap(line -> ApacheLog.parse(line).stream())) {
            replay.send(EventMessages.of(clicks), Replay.NOBODY);
            replay.awaitCounted(stack.gather(), "clicks", GRANULARITIES.keySet());
        }
        REPLAYED.add(log);
    }

    private static void assertAnsweredExactly() throws Exception {
        ServiceClient gather = stack.gather();

        // then every bucket of every granularity is what the logs say
        for (Map.Entry<String, ChronoUnit> granularity : GRANULARITIES.entrySet()) {
            Map<Bucket, Sums> expected = expected(granularity.getValue());
            assertThat(expected.values().stream().mapToLong(Sums::events).sum()).isEqualTo(lines());
            assertThat(answered(gather.buckets("clicks", granularity.getKey(), "asc", 1_000)))
                    .containsExactlyElementsOf(List.copyOf(expected.entrySet()));
        }

        // and small pages lose and double nothing, either way
        List<Map.Entry<Bucket, Sums>> hours = new ArrayList<>(expected(ChronoUnit.HOURS).entrySet());
        assertThat(answered(gather.buckets("clicks", "hour", "asc", 7))).containsExactlyElementsOf(hours);
        Collections.reverse(hours);
        assertThat(answered(gather.buckets("clicks", "hour", "desc", 7))).containsExactlyElementsOf(hours);
    }

    private static long lines() throws IOException {
        long lines = 0;
        for (Path log : REPLAYED) {
            lines += Files.readAllLines(log, StandardCharsets.ISO_8859_1).size();
        }
        return lines;
    }

    private static Map<Bucket, Sums> expected(ChronoUnit unit) throws IOException {
        Map<Bucket, Sums> buckets = new TreeMap<>();
        for (Path log : REPLAYED) {
            add(log, unit, buckets);
        }
        return buckets;
    }

    private static void add(Path log, ChronoUnit unit, Map<Bucket, Sums> buckets) throws IOException {
        for (String line : Files.readAllLines(log, StandardCharsets.ISO_8859_1)) {
            String[] quoted = line.split("\"", -1);
            String time = line.substring(line.indexOf('[') + 1, line.indexOf(']'));
            String[] statusAndBytes = quoted[2].strip().split(" ", -1);
            long bytes = statusAndBytes[1].equals("-") ? 0 : Long.parseLong(statusAndBytes[1]);
            Instant start = OffsetDateTime.parse(time, LOG_TIME).withOffsetSameInstant(ZoneOffset.UTC).truncatedTo(unit)
                    .toInstant();
            buckets.merge(new Bucket(start.toString(), quoted[3]), new Sums(1, bytes, bytes), Sums::plus);
        }
    }

    private static List<Map.Entry<Bucket, Sums>> answered(List<JsonNode> items) {
        return items.stream().map(item -> {
            JsonNode measures = item.get("measures");
            return Map.entry(new Bucket(item.get("start").asText(), item.get("label").get(0).asText()),
                    new Sums(measures.get("events").longValue(), measures.path("bytes").asLong(0),
                            measures.path("largest").asLong(0)));
        }).toList();
    }
}
