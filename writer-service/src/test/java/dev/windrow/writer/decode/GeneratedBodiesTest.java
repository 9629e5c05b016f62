package dev.windrow.writer.decode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.base.Reason;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.event.Attribute;
import dev.windrow.event.Event;
import dev.windrow.testing.GeneratedCases;
import dev.windrow.testing.Seeds;
import dev.windrow.writer.testing.ReadMessage;
import dev.windrow.writer.testing.TestUnits;

/** An event is read the same alone, in an array and on a line, whatever is wrong with it. */
class GeneratedBodiesTest {

    private static final int CASES = GeneratedCases.count("windrow.fuzz.events", 8_000, 40_000);
    private static final Datasets DATASETS = DatasetsYaml.parse("test", """
            windrow:
              datasets:
                clicks:
                  event-type: click
                  label: [page, ok]
                  granularities: [minute]
                  measures: {clicks: {type: count}, bytes: {type: sum, attribute: bytes}, faces: {type: sum, attribute: 😀}}
            """);
    private static final String[] TOKENS = { "{", "}", "[", "]", ":", ",", " ", "\n", "\"type\"", "\"time\"", "\"id\"",
            "\"tenant\"", "\"count\"", "\"attributes\"", "\"page\"", "\"ok\"", "\"bytes\"", "\"bytes\" :7,", "\"😀\":1,",
            "\"other\"", "\"click\"",
            "\"2026-11-20T10:31:32Z\"", "\"2026-11-20T10:31:32+01:00\"", "\"a\\\"b\"", "\"\u00e4\"", "1", "-1", "0", "-0", "01",
            "1.50", "1.", ".5", "-", "1e3", "123456789012345678", "1234567890123456789", "0.000000000000000001", "true",
            "false",
            "null", "nul", "truee", "\u0000", "\u0001", "\u00e4\ud83d\ude00", "\u20ac?", "\\", "\"",
            "\"specversion\"", "\"Type\"", "- 1" };

    private final EventDecoder decoder = ReadMessage.decoder(DATASETS);

    @Test
    void anEventIsReadAmongOthersAsItIsReadAlone() {
        RandomGenerator random = Seeds.random("generated bodies");
        int good = 0;
        for (int i = 0; i < CASES; i++) {
            List<String> events = events(random);
            List<ReadMessage> alone = events.stream().map(this::decode).toList();

            assertThat(outcome(decode(String.join("\n", events)))).as("lines %s", events)
                    .isEqualTo(outcome(alone, events));
            if (alone.stream().noneMatch(GeneratedBodiesTest::isNotJson)) {
                assertThat(outcome(decode(events.stream().collect(Collectors.joining(", ", "[", " ]")))))
                        .as("array of %s", events).isEqualTo(outcome(alone, events));
            }
            good += alone.stream().allMatch(message -> message.rejections().isEmpty()) ? 1 : 0;
        }
        assertThat(good).as("cases without a rejection").isBetween(CASES / 20, CASES * 9 / 10);
    }

    @ParameterizedTest
    @ValueSource(strings = { "\"bytes\" : 1", "\"bytes\"\n:1", "\"b\\u0079tes\":1", "\"\":2,\"bytes\":1",
            "\"other\" : {},\"bytes\":1" })
    void aUsedAttributeIsReadHoweverItsNameIsSpelled(String attribute) {
        // When
        ReadMessage read = decode(event("2026-11-20T10:31:32Z", attribute));

        // Then
        assertThat(read.events()).singleElement().extracting(event -> event.attributes().get("bytes"))
                .isEqualTo(new Attribute.Decimal(BigDecimal.ONE));
    }

    @Test
    void anEventMayHaveMoreNamesThanTheParserKeeps() {
        // Given
        String names = IntStream.range(0, 200_000).mapToObj(i -> "\"name-" + i + "\":1").collect(Collectors.joining(","));
        String body = event("2026-11-20T10:31:32Z", "\"other\":{" + names + "},\"bytes\":1");

        for (int i = 0; i < 3; i++) {
            // When
            ReadMessage read = decode(body);

            // Then
            assertThat(read.events()).singleElement().extracting(event -> event.attributes().get("bytes"))
                    .isEqualTo(new Attribute.Decimal(BigDecimal.ONE));
        }
    }

    private static boolean isNotJson(ReadMessage message) {
        return message.rejections().stream().anyMatch(rejection -> rejection.reason() == Reason.NOT_JSON);
    }

    /** What was read: events by position, and rejections with their position and text. */
    private record Outcome(List<Integer> indexes, List<Event> events, List<RejectedEvent> rejections) {
    }

    private static Outcome outcome(ReadMessage message) {
        return new Outcome(message.indexes(), message.events(), message.rejections());
    }

    /** What is expected of a message of events that were each read alone. */
    private static Outcome outcome(List<ReadMessage> alone, List<String> texts) {
        Outcome all = new Outcome(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (int i = 0; i < alone.size(); i++) {
            ReadMessage message = alone.get(i);
            all.events().addAll(message.events());
            if (!message.events().isEmpty()) {
                all.indexes().add(i);
            }
            for (RejectedEvent rejection : message.rejections()) {
                all.rejections().add(new RejectedEvent(i, rejection.reason(), rejection.field(), rejection.detail(),
                        texts.get(i).strip()));
            }
        }
        return all;
    }

    private ReadMessage decode(String body) {
        return ReadMessage.of(decoder, TestUnits.message("m", Instant.EPOCH, body));
    }

    /** Two or three events on a line each, of which the first is not mutilated, so that it is seen that they are lines. */
    private static List<String> events(RandomGenerator random) {
        List<String> events = new ArrayList<>(List.of(event(random, false)));
        for (int more = random.nextInt(1, 3); more > 0; more--) {
            String event = event(random, true);
            for (int mutations = random.nextInt(4); mutations > 0; mutations--) {
                int from = random.nextInt(event.length() + 1);
                int to = Math.min(event.length(), from + random.nextInt(3));
                event = event.substring(0, from) + (random.nextBoolean() ? TOKENS[random.nextInt(TOKENS.length)] : "")
                        + event.substring(to);
            }
            // Half a character spoils the whole message.
            events.add(UTF_8.newEncoder().canEncode(event) ? event.replace('\n', ' ') : event(random, false));
        }
        return events;
    }

    private static String event(String time, String attribute) {
        return "{\"type\":\"click\",\"time\":\"" + time + "\",\"attributes\":{\"page\":\"p\",\"ok\":true," + attribute + "}}";
    }

    private static String event(RandomGenerator random, boolean odd) {
        StringBuilder event = new StringBuilder("{\"type\":\"click\",\"time\":\"2026-11-20T10:31:32Z\"");
        if (random.nextInt(4) == 0) {
            event.append(",\"id\":\"").append(random.nextInt(100)).append('"');
        }
        if (random.nextInt(4) == 0) {
            event.append(",\"tenant\":\"acme\"");
        }
        if (random.nextInt(8) == 0) {
            event.append(",\"count\":").append(random.nextInt(-2, 3));
        }
        event.append(",\"attributes\":{\"page\":\"/page-").append(random.nextInt(3)).append("\",\"ok\":")
                .append(random.nextBoolean()).append(",\"bytes\":").append(random.nextInt(-1_000, 1_000));
        if (random.nextBoolean()) {
            event.append('.').append(random.nextInt(1_000));
        }
        if (odd && random.nextInt(4) == 0) {
            event.append(",\"other\":").append(TOKENS[random.nextInt(18, TOKENS.length)]);
        }
        return event.append("}}").toString();
    }
}
