package dev.windrow.writer.decode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.dataset.Event;
import dev.windrow.testing.GeneratedCases;
import dev.windrow.testing.Seeds;
import dev.windrow.writer.decode.BodyReader.BodyKind;
import dev.windrow.writer.decode.EventCollector.RejectedEvent;
import dev.windrow.writer.decode.EventDecoder.DecodeDeadline;
import dev.windrow.writer.decode.EventDecoder.EventDefaults;
import dev.windrow.writer.decode.EventDecoder.EventSink;
import dev.windrow.writer.decode.FastEventParser.StringInterner;
import dev.windrow.writer.decode.FastEventParser.UsedAttributes;
import dev.windrow.writer.testing.ReadMessage;
import dev.windrow.writer.testing.TestUnits;

/** What is read fast is read as the general reader reads it. */
class FastEventParserTest {

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

    private final EventDecoder fast = ReadMessage.decoder(DATASETS);
    private final EventDecoder general = new EventDecoder(DATASETS, Duration.ofMinutes(5), System::nanoTime, false);

    @Test
    void mutilatedEventsAreReadAsTheGeneralReaderReadsThem() {
        RandomGenerator random = Seeds.random("plain events");
        int good = 0;
        for (int i = 0; i < CASES; i++) {
            String body = body(random);
            for (int mutations = random.nextInt(4); mutations > 0; mutations--) {
                int from = random.nextInt(body.length() + 1);
                int to = Math.min(body.length(), from + random.nextInt(3));
                body = body.substring(0, from) + (random.nextBoolean() ? TOKENS[random.nextInt(TOKENS.length)] : "")
                        + body.substring(to);
            }
            ReadMessage expected = decode(general, body);

            assertThat(decode(fast, body)).as(body).isEqualTo(expected);
            good += expected.rejections().isEmpty() ? 1 : 0;
        }
        assertThat(good).as("cases without a rejection").isBetween(CASES / 10, CASES * 9 / 10);
    }

    @ParameterizedTest
    @ValueSource(strings = { "\"bytes\" : 1", "\"bytes\":1,\"bytes\" :2", "\"bytes\"\n:1", "\"😀\":1", "\"\\ud83d\\ude00\":1",
            "\"b\\u0079tes\":1", "\"other\" : 1", "\"\":1" })
    void aUsedAttributeIsReadHoweverItsNameIsSpelled(String attribute) {
        // Given
        String body = "{\"type\":\"click\",\"time\":\"2026-11-20T10:31:32Z\",\"attributes\":{\"page\":\"p\",\"ok\":true,"
                + attribute + "}}";

        // Then
        assertThat(decode(fast, body)).isEqualTo(decode(general, body));
    }

    @ParameterizedTest
    @ValueSource(strings = { "2026-11-20T10:31:32.123456789Z", "2026-11-20T10:31:32.1234567899Z",
            "2026-11-20T10:31:32.12345678900000000000000000Z", "2026-11-21T10:30:32+23:59", "2026-11-20T10:31:32-23:59" })
    void aTimeIsTheSameHoweverItIsRead(String time) {
        String body = "{\"type\":\"click\",\"time\":\"" + time
                + "\",\"attributes\":{\"page\":\"p\",\"ok\":true,\"bytes\":1}}";

        assertThat(decode(fast, body)).isEqualTo(decode(general, body));
        assertThat(decode(fast, body).rejections()).isEmpty();
    }

    @Test
    void theCommonSpellingNeedsNoGeneralReader() {
        String event = "{ \"type\":\"click\", \"time\":\"2026-11-20T10:31:32.5Z\",\"id\":\"7\","
                + "\"attributes\":{\"page\":\"/p\",\"ok\":true,\"bytes\":-12.50,\"other\":null} }";
        for (String body : List.of(event, "[" + event + ",\n" + event + "]", " " + event + "\n",
                event + "\n\n" + event + "\r\n")) {
            byte[] text = body.getBytes(UTF_8);
            List<Event> events = new ArrayList<>();
            EventCollector collector = new EventCollector(DATASETS, new EventSink() {

                @Override
                public RejectedEvent take(int index, Event event) {
                    events.add(event);
                    return null;
                }

                @Override
                public void restart() {
                    events.clear();
                }
            }, MemoryBudget.UNLIMITED, new DecodeDeadline(System::nanoTime, Duration.ofMinutes(5)));
            assertThat(new FastEventParser(text, 0, new UsedAttributes(java.util.Set.of("page", "ok", "bytes")),
                    new StringInterner(), EventDefaults.of(Map.of()), collector).read(BodyKind.of(text, 0))).isTrue();
            assertThat(events).isEqualTo(decode(general, body).events());
        }
    }

    private static ReadMessage decode(EventDecoder decoder, String body) {
        return ReadMessage.of(decoder, TestUnits.message("m", Instant.EPOCH, body));
    }

    private static String body(RandomGenerator random) {
        int events = random.nextInt(1, 4);
        if (events == 1) {
            return event(random);
        }
        if (random.nextInt(3) == 0) {
            return lines(random, events);
        }
        StringBuilder array = new StringBuilder("[").append(event(random));
        for (int i = 1; i < events; i++) {
            array.append(',').append(event(random));
        }
        return array.append(']').toString();
    }

    private static String lines(RandomGenerator random, int events) {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < events; i++) {
            lines.append(random.nextInt(4) == 0 ? " \r\n" : "").append(event(random))
                    .append(random.nextInt(4) == 0 ? "\r\n" : "\n");
        }
        return lines.toString();
    }

    private static String event(RandomGenerator random) {
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
        if (random.nextInt(4) == 0) {
            event.append(",\"other\":").append(TOKENS[random.nextInt(18, TOKENS.length)]);
        }
        return event.append("}}").toString();
    }
}
