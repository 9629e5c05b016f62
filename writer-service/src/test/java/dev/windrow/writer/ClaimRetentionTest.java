package dev.windrow.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.windrow.writer.DecodeStage.ClaimRetention;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.Message.MessageBody;
import dev.windrow.writer.decode.Message.Provenance;
import dev.windrow.writer.decode.Message.SourceQueue;

class ClaimRetentionTest {

    private static final Instant NOW = Instant.parse("2026-11-20T10:31:32Z");
    private static final SourceQueue QUEUE = new SourceQueue("q", "http://127.0.0.1/q", false, Duration.ofSeconds(30),
            Duration.ofDays(4), null);

    private final ClaimRetention claims = new ClaimRetention(Duration.ofDays(15), Clock.fixed(NOW, ZoneOffset.UTC));

    @Test
    void isOverForReplayedMessagesThatWereSentTooLongAgo() {
        assertThat(claims.isOver(replayed(NOW.minus(Duration.ofDays(15)).minusMillis(1)))).isTrue();
        assertThat(claims.isOver(replayed(NOW.minus(Duration.ofDays(15))))).isFalse();
    }

    @Test
    void isNeverOverForMessagesThatWereNotReplayed() {
        assertThat(claims.isOver(message(Map.of(), NOW.minus(Duration.ofDays(30))))).isFalse();
    }

    private static Message replayed(Instant originallySent) {
        return message(Map.of(Provenance.SOURCE_MESSAGE_ID, "m", Provenance.SOURCE_SENT,
                Long.toString(originallySent.toEpochMilli())), NOW);
    }

    private static Message message(Map<String, String> attributes, Instant sent) {
        return new Message(QUEUE, "id", "receipt", MessageBody.of("{}"), attributes, sent, NOW, 1, null);
    }
}
