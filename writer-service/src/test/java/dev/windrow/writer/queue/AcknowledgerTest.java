package dev.windrow.writer.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.Message.MessageBody;
import dev.windrow.writer.decode.Message.SourceQueue;

class AcknowledgerTest {

    @ParameterizedTest
    @CsvSource({ "0, 1", "1, 1", "2, 2", "3, 4", "5, 16", "10, 512", "11, 900", "1000, 900", "2147483647, 900" })
    void theOftenerAMessageWasReceivedTheLongerItIsHidden(int receives, int seconds) {
        SourceQueue queue = new SourceQueue("q", "http://127.0.0.1/q", false, Duration.ofSeconds(30), Duration.ofDays(4), null);
        Message message = new Message(queue, "id", "receipt", MessageBody.of("body"), Map.of(), Instant.EPOCH, Instant.EPOCH,
                receives, null);

        assertThat(Acknowledger.pauseSeconds(message)).isEqualTo(seconds);
    }
}
