package dev.windrow.writer.decode;

import java.util.List;
import java.util.Map;

import dev.windrow.writer.message.HeapSize;

/**
 * What a message holds besides its good events, which went to the {@link EventSink}.
 *
 * @param kind how its text holds events
 * @param envelope what they were wrapped in
 * @param attributes the message's attributes, and those of the notification it was wrapped in
 * @param events how many good events it has
 * @param ignored how many events of types that are ignored
 * @param rejections the bad events, or one rejection of the message as a whole
 */
public record DecodeResult(BodyKind kind, Envelope envelope, Map<String, String> attributes, int events, int ignored,
        List<RejectedEvent> rejections) {

    /** Estimated heap size of the rejections, in bytes. */
    public long heapBytes() {
        return rejections.stream()
                .mapToLong(rejection -> HeapSize.of(rejection.text()) + HeapSize.of(rejection.detail())).sum();
    }
}
