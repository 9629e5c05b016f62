package dev.windrow.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

import org.junit.jupiter.api.Test;

import dev.windrow.testing.Seeds;

class EventMessagesTest {

    private static final Instant TIME = Instant.parse("2026-11-20T10:31:32Z");

    @Test
    void aClickIsAnEventOnALine() {
        List<Click> clicks = List.of(new Click(TIME, "https://example.org/\"", "/a", "DE", 1, null),
                new Click(TIME, "-", "/b", "-", 30, 5_120L));

        assertThat(EventMessages.of(clicks.stream()).next().body()).isEqualTo("""
                {"type":"click","time":"2026-11-20T10:31:32Z","attributes":{"referrer":"https://example.org/\\"",\
                "page":"/a","country":"DE","bytes":null}}
                {"type":"click","time":"2026-11-20T10:31:32Z","count":30,"attributes":{"referrer":"-",\
                "page":"/b","country":"-","bytes":5120}}""");
    }

    @Test
    void messagesAreBoundedHoldEveryLineAndHaveNoGaps() {
        // given lines of all sizes, some of whose neighbors were left out
        RandomGenerator random = Seeds.random("EventMessagesTest");
        List<EventLine> lines = new ArrayList<>();
        for (int number = 1; number <= 3_000; number++) {
            if (random.nextInt(200) > 0) {
                lines.add(new EventLine(number,
                        number + "\u00e4".repeat(random.nextInt(random.nextInt(100) == 0 ? 30_000 : 300))));
            }
        }

        List<EventMessage> messages = new ArrayList<>();
        new EventMessages(lines.stream()).forEachRemaining(messages::add);

        // then each line is found by its message's first line and its position
        List<EventLine> found = new ArrayList<>();
        for (EventMessage message : messages) {
            List<String> texts = message.body().lines().toList();
            assertThat(texts).hasSize(message.events()).hasSizeBetween(1, 100);
            assertThat(message.body().getBytes(StandardCharsets.UTF_8).length).isLessThanOrEqualTo(
                    texts.size() == 1 ? Integer.MAX_VALUE : 20_000);
            for (int i = 0; i < texts.size(); i++) {
                found.add(new EventLine(message.first() + i, texts.get(i)));
            }
        }
        assertThat(found).isEqualTo(lines);
        assertThat(messages).hasSizeLessThan(200);
    }
}
