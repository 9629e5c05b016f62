package dev.windrow.writer.source;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.windrow.writer.json.FastJsonScanner;
import dev.windrow.writer.json.FieldName;
import dev.windrow.writer.message.Message;
import dev.windrow.writer.message.MessageBody;
import dev.windrow.writer.message.SourceQueue;

/**
 * Reads SQS's answer to a receive in its usual form: messages without attributes of their own, in whose bodies no character
 * is escaped by its number. On anything else the {@linkplain ReceiveResponse general reader}, which takes several times as
 * long, takes over for the whole answer.
 */
final class FastReceiveParser {

    private static final FieldName MESSAGES = new FieldName("Messages");
    private static final FieldName ID = new FieldName("MessageId");
    private static final FieldName RECEIPT = new FieldName("ReceiptHandle");
    private static final FieldName BODY = new FieldName("Body");
    private static final FieldName BODY_HASH = new FieldName("MD5OfBody");
    private static final FieldName ATTRIBUTES = new FieldName("Attributes");
    private static final FieldName SENT = new FieldName("SentTimestamp");
    private static final FieldName FIRST_RECEIVED = new FieldName("ApproximateFirstReceiveTimestamp");
    private static final FieldName RECEIVES = new FieldName("ApproximateReceiveCount");
    private static final FieldName GROUP = new FieldName("MessageGroupId");
    /** Of a number that is surely a long. */
    private static final int MAX_DIGITS = 18;

    private final SourceQueue queue;
    private final byte[] text;
    private final FastJsonScanner json;

    private @Nullable String id;
    private @Nullable String receipt;
    private @Nullable MessageBody body;
    private long sent;
    private long firstReceived;
    private long receives;
    private @Nullable String group;

    /** @param text JSON */
    FastReceiveParser(SourceQueue queue, byte[] text) {
        this.queue = queue;
        this.text = text;
        this.json = new FastJsonScanner(text, 0);
    }

    /** The messages; null if only the general reader understands the answer. */
    @Nullable
    List<Message> read() {
        json.pass('{');
        if (!json.passed(MESSAGES)) {
            return null;
        }
        List<Message> messages = new ArrayList<>();
        json.pass('[');
        do {
            Message message = message();
            if (message == null) {
                return null;
            }
            messages.add(message);
        } while (json.passed(','));
        json.pass(']');
        json.pass('}');
        return json.isSure() && json.isAtEnd() ? messages : null;
    }

    private @Nullable Message message() {
        id = null;
        receipt = null;
        body = null;
        sent = 0;
        firstReceived = 0;
        receives = 1;
        group = null;
        json.pass('{');
        do {
            field();
        } while (json.isSure() && json.passed(','));
        json.pass('}');
        if (!json.isSure() || id == null || receipt == null || body == null) {
            return null;
        }
        return new Message(queue, id, receipt, body, Map.of(), Instant.ofEpochMilli(sent),
                Instant.ofEpochMilli(firstReceived), (int) receives, group);
    }

    private void field() {
        if (json.passed(BODY)) {
            body = body();
        } else if (json.passed(ATTRIBUTES)) {
            attributes();
        } else if (json.passed(ID)) {
            id = text();
        } else if (json.passed(RECEIPT)) {
            receipt = text();
        } else if (json.passed(BODY_HASH)) {
            json.passText();
        } else {
            json.giveUp();
        }
    }

    private @Nullable MessageBody body() {
        byte[] unescaped = json.unescaped();
        if (unescaped == null || !MessageBody.isUtf8(unescaped)) {
            json.giveUp();
            return null;
        }
        return MessageBody.ofWellFormed(unescaped);
    }

    private void attributes() {
        json.pass('{');
        do {
            if (json.passed(SENT)) {
                sent = number();
            } else if (json.passed(FIRST_RECEIVED)) {
                firstReceived = number();
            } else if (json.passed(RECEIVES)) {
                receives = number();
            } else if (json.passed(GROUP)) {
                group = text();
            } else {
                json.giveUp();
            }
        } while (json.isSure() && json.passed(','));
        json.pass('}');
    }

    private @Nullable String text() {
        json.passText();
        return json.isSure() ? new String(text, json.from(), json.to() - json.from(), UTF_8) : null;
    }

    /** A whole number, written as text. */
    private long number() {
        json.passText();
        int digits = json.to() - json.from();
        if (!json.isSure() || digits == 0 || digits > MAX_DIGITS) {
            json.giveUp();
            return 0;
        }
        long number = 0;
        for (int i = json.from(); i < json.to(); i++) {
            int digit = text[i] - '0';
            if (digit < 0 || digit > 9) {
                json.giveUp();
                return 0;
            }
            number = 10 * number + digit;
        }
        return number;
    }
}
