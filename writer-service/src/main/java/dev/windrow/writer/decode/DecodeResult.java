package dev.windrow.writer.decode;

import java.util.List;
import java.util.Map;

/**
 * The result of decoding a message, except for its good events, which went to the {@link EventSink}.
 *
 * @param attributes the message's attributes, and those of the notification that wrapped it
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
