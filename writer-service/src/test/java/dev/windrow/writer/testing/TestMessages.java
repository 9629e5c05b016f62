package dev.windrow.writer.testing;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.windrow.table.AwsLimits;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.MessageBody;
import dev.windrow.writer.decode.SourceQueue;

/** Queues and messages of which a test says only what it is about. */
public final class TestMessages {

    private TestMessages() {
    }

    /** A queue that nobody asks. */
    public static SourceQueue queue(String name) {
        return queueAt("http://127.0.0.1/" + name);
    }

    public static SourceQueue queueAt(String url) {
        return new SourceQueue(url.substring(url.lastIndexOf('/') + 1), url, url.endsWith(".fifo"), Duration.ofSeconds(30),
                Duration.ofDays(4), null, AwsLimits.MESSAGE_BYTES, SourceQueue.UNLIMITED);
    }

    /** Received for the first time, when it was sent. */
    public static Message message(String body, Map<String, String> attributes, Instant sent) {
        return new Message(queue("test"), "id", "receipt", MessageBody.of(body), attributes, sent, sent, 1, null);
    }

    /** A delivery of a message of which nothing else matters. */
    public static Message delivery(SourceQueue queue, String id, String receipt, int receives, @Nullable String group) {
        return new Message(queue, id, receipt, MessageBody.of("{}"), Map.of(), Instant.EPOCH, Instant.EPOCH, receives, group);
    }
}
