package dev.windrow.writer.decode;

import java.util.List;
import java.util.Map;

import dev.windrow.writer.message.Body;

/**
 * What a message holds.
 *
 * @param kind how its text holds events
 * @param envelope what they were wrapped in
 * @param text the text itself, unpacked and unwrapped
 * @param attributes the message's attributes, and those of the notification it was wrapped in
 * @param events the good events
 * @param rejections the bad ones
 */
public record Decoded(BodyKind kind, Envelope envelope, Body text, Map<String, String> attributes,
        List<DecodedEvent> events, List<Rejection> rejections) {
}
