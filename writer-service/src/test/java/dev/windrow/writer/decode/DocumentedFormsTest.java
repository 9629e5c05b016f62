package dev.windrow.writer.decode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.dataset.Event;
import dev.windrow.writer.testing.ReadMessage;
import dev.windrow.writer.testing.TestMessages;

/** The sources on the writer's page are read by the forms beside them. */
class DocumentedFormsTest {

    private static final Path PAGE = Path.of("../docs/writer.md");
    private static final Pattern SOURCE = Pattern
            .compile("\\*\\*([A-Za-z0-9]+)[^\n]*\n\n```yaml\n(.*?)```\n\n```json\n(.*?)```", Pattern.DOTALL);
    private static final Instant NOW = Instant.parse("2026-11-24T10:00:00Z");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            S3          | bucket, region, size       | 1970-01-01T00:00:00Z     | C3D13FE58DE4C810 | {bucket=mybucket, region=us-west-2, size=1024}
            EventBridge | country, amount            | 2017-12-22T18:43:48Z     | 6a7e8feb-b491-4cf7-a9f1-bf3703467718 | {amount=39.95, country=US}
            CloudEvents | repository, number, size   | 2018-04-05T17:31:00Z     | https://github.com/cloudevents/spec/pull A234-1234-1234 | {number=123, repository=https://github.com/cloudevents/spec/pull, size=5}
            Segment     | title, page, revenue       | 2015-12-12T19:11:01.249Z | ajs-f8ca1e4de5024d9430b3928bd8ac6b96 | {page=/academy/, revenue=0, title=Intro to Analytics}
            """)
    void theFormOfASourceReadsItsExample(String source, String attributes, String time, String id, String read)
            throws IOException {
        List<MatchResult> found = SOURCE.matcher(Files.readString(PAGE).split("\n### Sources\n", 2)[1]).results()
                .filter(match -> match.group(1).equals(source)).toList();
        assertThat(found).hasSize(1);
        String form = found.get(0).group(2);
        String type = form.lines().findFirst().orElseThrow().substring("- type: ".length());

        ReadMessage message = ReadMessage.of(ReadMessage.decoder(DatasetsYaml.parse("page", """
                windrow:
                  datasets:
                    all: {event-type: %s, label: [%s], granularities: [day], measures: {events: {type: count}}}
                  events:
                %s""".formatted(type, attributes, form.indent(4)))),
                TestMessages.message(found.get(0).group(3), Map.of(), NOW));

        assertThat(message.rejections()).isEmpty();
        Event event = message.events().get(0);
        assertThat(message.events()).hasSize(1);
        assertThat(event.time()).isEqualTo(time);
        assertThat(event.id()).isEqualTo(id);
        Map<String, String> labels = new TreeMap<>();
        event.attributes().forEach((name, value) -> labels.put(name, String.valueOf(value.label())));
        assertThat(labels).hasToString(read);
    }
}
