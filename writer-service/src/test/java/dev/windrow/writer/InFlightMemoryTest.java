package dev.windrow.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.testing.Seeds;
import dev.windrow.writer.aggregate.Aggregation;
import dev.windrow.writer.aggregate.ClaimUnitBuilder;
import dev.windrow.writer.decode.DecodeResult;
import dev.windrow.writer.decode.EventDecoder;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.MessageBody;
import dev.windrow.writer.decode.SourceQueue;
import dev.windrow.writer.journal.JournalMessage;
import dev.windrow.writer.queue.PendingMessage;
import dev.windrow.writer.testing.ReadMessage;
import dev.windrow.writer.testing.TestMessage;
import dev.windrow.writer.testing.TestMessages;
import dev.windrow.writer.testing.TestUnits;

/** What is held takes no more of the heap than it counts for, whatever the shape of the messages. */
@Tag("slow")
class InFlightMemoryTest {

    private static final long FILLED = 24 << 20;
    /** What the JVM itself, and caches that are bounded on their own, may take meanwhile. */
    private static final long SLACK = 4 << 20;
    private static final SourceQueue QUEUE = TestMessages.queue("q");
    private static final Datasets DATASETS = DatasetsYaml.parse("test", """
            windrow:
              datasets:
                hits:
                  event-type: hit
                  label: [page]
                  granularities: [second, day]
                  measures: {hits: {type: count}, ms: {type: sum, attribute: ms}}
                users:
                  event-type: user
                  label: [page]
                  granularities: [day]
                  measures: {hits: {type: count}}
                  dedupe: event-id
                many:
                  event-type: many
                  label: [page]
                  granularities: [minute]
                  measures:
                    a: {type: max, attribute: ms}
                    b: {type: min, attribute: ms}
                    c: {type: first, attribute: ms}
                    d: {type: last, attribute: ms}
                    e: {type: sum, attribute: ms}
                    f: {type: count}
            """);

    /** Shapes of messages, each by a number that is different for each message. */
    private static final Map<String, IntFunction<String>> SHAPES = Map.of(
            "one event", number -> event("hit", "p" + number, number, "1"),
            "many labels", number -> events(2_900, i -> event("hit", "l" + number + "-" + i, 1, "1")),
            "the same labels", number -> events(2_900, i -> event("hit", "l" + i, 1, "1")),
            "long labels", number -> events(100, i -> event("hit", "\u20ac".repeat(300) + number + "-" + i, 1, "1")),
            "many buckets", number -> events(2_900, i -> event("hit", "p", 1 + 2L * i, "1")),
            "many measures", number -> events(2_900,
                    i -> event("many", "p" + number, 60L * i, "1234567890123.12345678901234")),
            "many ids", number -> events(2_000, i -> event("user", "p", 1, "1").replace("{\"type", "{\"id\":\"" + number
                    + "-" + i + "\",\"type")),
            "bad events", number -> events(100, i -> "\"" + "x".repeat(2_400) + "\""),
            "garbage", number -> "<garbage>".repeat(1 + number % 20_000));

    private final EventDecoder decoder = ReadMessage.decoder(DATASETS);
    private final Aggregation aggregation = new Aggregation(DATASETS, Long.MAX_VALUE, new Random(1));
    private final List<PendingMessage> held = new ArrayList<>();
    private final List<JournalMessage> units = new ArrayList<>();

    @ParameterizedTest
    @MethodSource("shapes")
    void takesNoMoreThanItCountsFor(String shape) {
        // Given
        RandomGenerator random = Seeds.random("held units");
        hold(SHAPES.get(shape).apply(random.nextInt(1_000_000)));
        long before = usedBytes();
        long counted = 0;

        // When
        while (counted < FILLED) {
            counted += hold(SHAPES.get(shape).apply(random.nextInt(1_000_000)));
        }

        // Then
        long used = usedBytes() - before;
        System.out.printf("%s: %d messages, counted %d MB, used %d MB%n", shape, units.size(), counted >> 20, used >> 20);
        assertThat(used).isLessThan(counted + SLACK);
        assertThat(units).isNotEmpty();
    }

    /** Reads a message, and keeps what the journal would keep. @return what it counts for */
    private long hold(String body) {
        PendingMessage message = new PendingMessage(
                new Message(QUEUE, "id" + held.size(), "r".repeat(400), MessageBody.of(body),
                        Map.of(), Instant.EPOCH, Instant.EPOCH, 1, null));
        held.add(message);
        ClaimUnitBuilder builder = aggregation.start(message.message(), TestUnits.UNLIMITED);
        DecodeResult decoded = decoder.decode(message.message(), builder, TestUnits.UNLIMITED);
        if (!decoded.rejections().isEmpty()) {
            message.reject(decoded);
        }
        units.add(new TestMessage(builder.build()));
        return message.receivedBytes() + builder.heapBytes() + decoded.heapBytes();
    }

    static Set<String> shapes() {
        return SHAPES.keySet();
    }

    private static long usedBytes() {
        Runtime runtime = Runtime.getRuntime();
        System.gc();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    private static String events(int count, IntFunction<String> event) {
        return IntStream.range(0, count).mapToObj(event).collect(Collectors.joining(",", "[", "]"));
    }

    private static String event(String type, String page, long second, String ms) {
        return "{\"type\":\"" + type + "\",\"time\":" + second + ",\"attributes\":{\"page\":\"" + page + "\",\"ms\":" + ms
                + "}}";
    }
}
