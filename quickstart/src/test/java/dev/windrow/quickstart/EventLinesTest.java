package dev.windrow.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventLinesTest {

    @TempDir
    Path folder;

    private final EventLines.Bad bad = new EventLines.Bad();

    @Test
    void eachObjectIsAnEventAndEmptyLinesAreSkipped() throws IOException {
        assertThat(lines("\uFEFF{\"a\":1}\r\n\r\n  {\"b\":2}  \n\n{\"c\":3}".getBytes(StandardCharsets.UTF_8)))
                .containsExactly(new EventLine(1, "{\"a\":1}"), new EventLine(3, "{\"b\":2}"), new EventLine(5, "{\"c\":3}"));
        assertThat(bad.sentences(bad.count())).isEmpty();
    }

    @Test
    void whatIsNoObjectIsNamedAndLeftOut() throws IOException {
        String text = """
                {"a":1}
                [{"a":1}]
                {"a":1
                {"a":1} {"b":2}
                no JSON
                "text"
                7
                {"a":"\uFFFE"}
                {"a":2}
                \u001b[31m
                """;

        assertThat(lines(text.getBytes(StandardCharsets.UTF_8))).extracting(EventLine::number).containsExactly(1L, 9L);

        assertThat(bad.sentences(bad.count())).satisfiesExactly(
                line -> assertThat(line).isEqualTo("line 2: expected an event, which is a JSON object, found array"),
                line -> assertThat(line)
                        .isEqualTo("line 3: not JSON: Unexpected end-of-input: expected close marker for Object"),
                line -> assertThat(line).startsWith("line 4: not JSON: "),
                line -> assertThat(line).startsWith("line 5: not JSON: Unrecognized token 'no'"),
                line -> assertThat(line).startsWith("line 6: expected an event"),
                line -> assertThat(line).startsWith("line 7: expected an event"),
                line -> assertThat(line).isEqualTo("line 8: has U+FFFE or U+FFFF, which SQS rejects"),
                line -> assertThat(line).startsWith("line 10: not JSON: ").doesNotContain("\u001b"));
    }

    @Test
    void otherEncodingsAndEndlessLinesAreNamedToo() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write("{\"a\":\"\u00e4\"}\n".getBytes(StandardCharsets.ISO_8859_1));
        bytes.write(("{\"a\":\"" + "x".repeat(3_000_000) + "\"}\n{\"a\":1}").getBytes(StandardCharsets.UTF_8));

        assertThat(lines(bytes.toByteArray())).containsExactly(new EventLine(3, "{\"a\":1}"));

        assertThat(bad.sentences(bad.count())).satisfiesExactly(line -> assertThat(line).isEqualTo("line 1: not UTF-8"),
                line -> assertThat(line).startsWith("line 2: longer than 262144 bytes"));
    }

    @Test
    void deeplyNestedLinesAreNamed() throws IOException {
        assertThat(lines(("{\"a\":" + "[".repeat(100_000) + "\n{}").getBytes(StandardCharsets.UTF_8))).hasSize(1);

        assertThat(bad.sentences(bad.count())).singleElement().asString().startsWith("line 1: not JSON: ");
    }

    @Test
    void theFirstBadLinesAreNamedInOrderAndTheOthersCounted() {
        for (long number = 100; number >= 1; number--) {
            bad.add(number, "bad");
        }

        assertThat(bad.count()).isEqualTo(100);
        assertThat(bad.sentences(1_100)).hasSize(EventLines.Bad.KEPT + 1).startsWith("line 1: bad", "line 2: bad")
                .endsWith("line 20: bad", "and 1,080 more");
    }

    @Test
    void theElementsOfAnArrayAreEvents() throws IOException {
        String array = "\n[ {\"a\":\n 1.50, \"b\":12345678901234567890.123456789}\n,7,\n{\"a\":2}]\n";

        assertThat(lines(array.getBytes(StandardCharsets.UTF_8))).containsExactly(
                new EventLine(1, "{\"a\":1.50,\"b\":12345678901234567890.123456789}"), new EventLine(3, "{\"a\":2}"));
        assertThat(lines("[{\"a\":1}]".getBytes(StandardCharsets.UTF_8))).containsExactly(new EventLine(1, "{\"a\":1}"));
        assertThat(bad.sentences(bad.count()))
                .containsExactly("line 2: expected an event, which is a JSON object, found number");
    }

    @Test
    void oneObjectOverSeveralLinesIsOneSentence() throws IOException {
        assertThat(lines("{\n  \"events\": [\n    {\"a\": 1},\n    {\"a\": 2}\n  ]\n}\n".getBytes(StandardCharsets.UTF_8)))
                .isEmpty();

        assertThat(bad.sentences(bad.count()))
                .containsExactly("line 1: the file is one JSON object over several lines: write one "
                        + "event a line, or an array of events");
    }

    private List<EventLine> lines(byte[] content) throws IOException {
        Path file = Files.write(folder.resolve("events.ndjson"), content);
        try (Stream<EventLine> lines = EventLines.of(file, bad)) {
            return lines.toList();
        }
    }
}
