package dev.windrow.writer.decode;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * One delivery of a message.
 *
 * @param id assigned by the queue when the message was sent, the same on each delivery
 * @param receipt identifies this delivery
 * @param attributes its textual message attributes; {@code content-encoding} in lower case, however it was sent
 * @param sent when it was sent, the same on each delivery
 * @param firstReceived when it was received for the first time
 * @param receiveCount how many times it was received, including this delivery
 * @param group its message group; standard queues may have groups too, but they imply no order
 */
public record Message(SourceQueue queue, String id, String receipt, MessageBody body, Map<String, String> attributes,
        Instant sent, Instant firstReceived, int receiveCount, @Nullable String group) {

    public Message {
        if (!attributes.keySet().stream().allMatch(name -> name.equals(Decompression.attributeName(name)))) {
            attributes = attributes.entrySet().stream().collect(Collectors.toUnmodifiableMap(
                    attribute -> Decompression.attributeName(attribute.getKey()), Map.Entry::getValue, (one, other) -> one));
        }
    }

    /** Returns the message group if its order matters, as in a FIFO queue; null otherwise. */
    public @Nullable String orderedGroup() {
        return queue.fifo() ? group : null;
    }

    /**
     * Returns the identity by which redeliveries are recognized. A replayed dead letter has a new id but keeps the identity of
     * the original message, so that nothing is counted twice.
     */
    public String identity() {
        String source = attributes.get(Provenance.SOURCE_MESSAGE_ID);
        if (source == null) {
            return id;
        }
        String event = attributes.get(Provenance.SOURCE_EVENT);
        return event == null ? source : source + "#" + event;
    }

    /** Returns the sent time that belongs to the identity, in milliseconds since the epoch. */
    public long identityMillis() {
        String text = attributes.get(Provenance.SOURCE_SENT);
        // At most 15 digits: always a long.
        boolean given = text != null && !text.isEmpty() && text.length() <= 15
                && text.chars().allMatch(c -> c >= '0' && c <= '9');
        return given ? Long.parseLong(text) : sent.toEpochMilli();
    }

    /**
     * A queue that messages come from.
     *
     * @param name its name, for logs
     * @param url the URL for requests about it
     * @param fifo whether it keeps the order of each message group
     * @param visibility how long a received message stays hidden from other receivers
     * @param retention how long the queue keeps a message
     * @param deadLetterUrl URL of its dead-letter queue; null if there is none
     * @param deadLetterBytes maximum size of a message of the dead-letter queue, body and attributes together
     * @param maxReceives how often a message may be received before the queue's own redrive policy moves it, or
     *        {@link #UNLIMITED}
     */
    public record SourceQueue(String name, String url, boolean fifo, Duration visibility, Duration retention,
            @Nullable String deadLetterUrl, int deadLetterBytes, int maxReceives) {

        /** Value of {@link #maxReceives} for a queue without a redrive policy. */
        public static final int UNLIMITED = Integer.MAX_VALUE;

        /** Whether the queue's own redrive policy moves a message before it is received more often than this. */
        public boolean movesWithin(int receives) {
            return maxReceives != UNLIMITED && maxReceives <= receives;
        }
    }

    /**
     * The text of a message as UTF-8: most bodies are parsed once, as bytes, and UTF-8 has no unpaired surrogates.
     *
     * @param utf8 well-formed UTF-8; must not be modified
     */
    public record MessageBody(byte[] utf8) {

        private static final int CHECKED_CHARACTERS = 8_192;

        public static MessageBody of(String text) {
            return new MessageBody(text.getBytes(UTF_8));
        }

        /** Creates a text from bytes, which must not be modified afterwards; null if they are not well-formed UTF-8. */
        static @Nullable MessageBody ofUtf8(byte[] bytes) {
            return isUtf8(bytes) ? new MessageBody(bytes) : null;
        }

        private static boolean isUtf8(byte[] bytes) {
            CharsetDecoder decoder = UTF_8.newDecoder();
            ByteBuffer in = ByteBuffer.wrap(bytes);
            CharBuffer out = CharBuffer.allocate(CHECKED_CHARACTERS);
            CoderResult result;
            do {
                result = decoder.decode(in, out.clear(), true);
            } while (result.isOverflow());
            return !result.isError();
        }

        /** Returns the length in bytes. */
        public int length() {
            return utf8.length;
        }

        @Override
        public String toString() {
            return new String(utf8, UTF_8);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return this == other || (other instanceof MessageBody body && Arrays.equals(utf8, body.utf8));
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(utf8);
        }
    }

    /** Message attributes of a dead letter: its reason and its source message. */
    public static final class Provenance {

        /** The {@link dev.windrow.base.Reason#word() reason}. */
        public static final String REASON = "reason";

        /** What was expected and found, human-readable. */
        public static final String DETAIL = "detail";

        /** When the message was first received, RFC 3339. */
        public static final String FIRST_SEEN = "first-seen";

        /** The id of the source message, which could not be counted or had an event that could not. */
        public static final String SOURCE_MESSAGE_ID = "source-message-id";

        /** The position of the event in the source message; absent if the dead letter is the whole message. */
        public static final String SOURCE_EVENT = "source-event";

        /** Which part of a divided dead letter this is, such as {@code 2/3}; absent if the dead letter is whole. */
        public static final String PART = "letter-part";

        /** When the source message was sent, in milliseconds since the epoch. */
        public static final String SOURCE_SENT = "source-sent";

        /** The format of parked additions; present only if the body holds additions to a bucket instead of events. */
        public static final String PARKED = "parked";

        private Provenance() {
        }
    }

    /**
     * Estimated heap sizes of objects in bytes, erring on the high side. They assume a 64-bit JVM with compressed references,
     * whose objects have a header of 12 bytes and are padded to 8.
     */
    public static final class HeapSize {

        /** A string and its array, without characters. */
        private static final int STRING = 48;
        /** An entry of a hash map, with its share of the table. */
        private static final int MAP_ENTRY = 48;
        /** A message with its id and dates, and the flow's bookkeeping until it ends. */
        private static final int MESSAGE = 640;

        private HeapSize() {
        }

        /** Returns the size of a text, which may need two bytes per character. */
        public static long of(String text) {
            return STRING + 2L * text.length();
        }

        public static long of(Message message) {
            long size = MESSAGE + (long) message.receipt().length() + message.body().length();
            for (Map.Entry<String, String> attribute : message.attributes().entrySet()) {
                size += MAP_ENTRY + of(attribute.getKey()) + of(attribute.getValue());
            }
            return size;
        }
    }
}
