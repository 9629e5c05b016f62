package dev.windrow.quickstart.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

class ClickMessagesTest {

    private static final Click CLICK = new Click(Instant.parse("2026-11-20T10:31:32Z"), "https://example.org/\"", "/a",
            "192.0.2.7", 200, null);

    @Test
    void aClickIsAnEventOnALine() {
        assertThat(new ClickMessages(List.of(CLICK).iterator()).next()).isEqualTo(new ClickMessages.Message("""
                {"type":"click","time":"2026-11-20T10:31:32Z","attributes":{"referrer":"https://example.org/\\"",\
                "url":"/a","host":"192.0.2.7","status":200,"bytes":null}}""", 1));
    }

    @Test
    void messagesAreBoundedAndHoldEveryClick() {
        List<Click> clicks = new ArrayList<>();
        IntStream.range(0, 1_000).forEach(i -> clicks.add(CLICK));
        IntStream.range(0, 100).forEach(i -> clicks
                .add(new Click(CLICK.time(), "x".repeat(5_000), "/a", "192.0.2.7", 200, 1L)));

        List<ClickMessages.Message> messages = new ArrayList<>();
        new ClickMessages(clicks.iterator()).forEachRemaining(messages::add);

        assertThat(messages).allSatisfy(message -> {
            assertThat(message.body()).hasSizeLessThan(26_000);
            assertThat(message.body().lines()).hasSize(message.events());
        });
        assertThat(messages.stream().mapToInt(ClickMessages.Message::events).sum()).isEqualTo(1_100);
    }
}
