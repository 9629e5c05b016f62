package dev.windrow.writer.decode;

import java.util.List;

/**
 * What a message body holds.
 *
 * @param kind how it holds it
 * @param events the good events
 * @param rejections the bad ones
 */
public record Decoded(BodyKind kind, List<DecodedEvent> events, List<Rejection> rejections) {
}
