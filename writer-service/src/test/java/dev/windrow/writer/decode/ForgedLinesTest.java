package dev.windrow.writer.decode;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.writer.decode.EventDecoder.DecodeResult;
import dev.windrow.writer.decode.Message.MessageBody;
import dev.windrow.writer.decode.Message.SourceQueue;
import dev.windrow.writer.testing.ReadMessage;

/** What a producer wrote must not look like a line of the log: rejections are logged. */
class ForgedLinesTest {

    private static final int MAX_LINE = 2_100;
    private static final Instant TIME = Instant.parse("2026-11-20T10:31:32Z");
    private static final SourceQueue QUEUE = new SourceQueue("test", "http://127.0.0.1/test", false, Duration.ofSeconds(30),
            Duration.ofDays(4), null);

    private final EventDecoder decoder = ReadMessage.decoder(DatasetsYaml.parse("test", """
            windrow:
              datasets:
                clicks:
                  event-type: click
                  label: [referrer]
                  granularities: [day]
                  measures:
                    bytes: {type: sum, attribute: bytes}
            """));

    @ParameterizedTest
    @ValueSource(strings = {
            "{\"type\":\"click\",\"time\":\"2026\\nERROR forged%s\",\"attributes\":{\"referrer\":\"r\"}}",
            "{\"type\":\"click\",\"tenant\":\"a\\u2028ERROR forged%s\",\"time\":\"2026-11-20T10:31:32Z\"}",
            "nonsense\u0085ERROR forged%s", "\n\u001b[31mERROR%s" })
    void aRejectionIsOneLineOfBoundedLength(String body) {
        for (String padding : List.of("", "x".repeat(5_000))) {
            requireOneLine(decoded(body.replace("%s", padding), Map.of()));
        }
    }

    @Test
    void soIsTheRejectionOfAnEncoding() {
        requireOneLine(decoded("{}", Map.of("content-encoding", "gzip\nERROR forged " + "x".repeat(5_000))));
    }

    private DecodeResult decoded(String body, Map<String, String> attributes) {
        Message message = new Message(QUEUE, "id", "receipt", MessageBody.of(body), attributes, TIME, TIME, 1, null);
        return ReadMessage.of(decoder, message).decoded();
    }

    private static void requireOneLine(DecodeResult decoded) {
        assertThat(decoded.rejections()).isNotEmpty().allSatisfy(rejection -> {
            assertThat(rejection.explanation().length()).isLessThan(MAX_LINE);
            assertThat(rejection.explanation().chars().anyMatch(Character::isISOControl)).as(rejection.explanation()).isFalse();
            assertThat(rejection.explanation()).doesNotContain("\u2028");
        });
    }
}
