package dev.windrow.writer.queue;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;

import dev.windrow.aws.AwsErrors;
import dev.windrow.base.Joined;
import dev.windrow.base.LogKey;
import dev.windrow.base.Reason;
import dev.windrow.base.StructuredLogger;
import dev.windrow.scatter.Murmur3;
import dev.windrow.writer.decode.Decompression;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.Provenance;
import dev.windrow.writer.decode.RejectedEvent;
import dev.windrow.writer.queue.LetterParts.Part;
import io.smallrye.mutiny.Uni;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;

/**
 * Sends dead letters to the dead-letter queue (DLQ), with the reason in message attributes. A body that SQS does not accept,
 * because of its characters or its size, is compressed; any other is sent unchanged; a letter that is still too large is sent
 * in parts. Each is sent at least once: a message
 * that is redelivered before it is deleted leaves a second copy, which is recognized as a duplicate when it is replayed.
 *
 * @param attempted runs at the end of each attempt to send a letter
 */
public record DeadLetters(SqsAsyncClient sqs, Runnable attempted) {

    private static final StructuredLogger LOG = StructuredLogger.of(DeadLetters.class);
    private static final int CONCURRENCY = 4;
    private static final int ATTEMPTS = 5;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration MAX_PAUSE = Duration.ofSeconds(5);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    static final String FIFO_SUFFIX = ".fifo";
    static final int MAX_DETAIL = 1_000;

    /** Maximum number of attributes of a message (SQS). */
    static final int MAX_ATTRIBUTES = 10;

    /** Chosen first, because a message that lacks them would be misread or not read at all. */
    private static final List<String> FIRST_ATTRIBUTES = List.of(Provenance.SOURCE_MESSAGE_ID, Provenance.SOURCE_SENT,
            Provenance.SOURCE_EVENT, "tenant", Decompression.ATTRIBUTE, "ce-specversion", "ce-type", "ce-time", "type", "ce-id",
            "ce-source", Provenance.FIRST_SEEN);

    private static final Set<String> INDISPENSABLE = Set.of(Provenance.REASON, Provenance.DETAIL, Provenance.PARKED);

    /** The names that SQS accepts; SNS notifications may have others. */
    private static final Pattern ATTRIBUTE_NAME = Pattern
            .compile("(?i)(?!aws\\.|amazon\\.|\\.)(?!.*\\.\\.)(?!.*\\.$)[a-z0-9_.-]{1,256}");

    /**
     * Sends dead letters.
     *
     * @param sent receives each letter that was sent
     * @return why one was not sent, so that the message must not be deleted; nothing if all were. A message whose letter is too
     *         large even for many parts stays in its queue until the queue's own redrive policy moves it.
     */
    public Uni<Optional<Reason>> send(List<DeadLetter> letters, Consumer<DeadLetter> sent) {
        if (letters.isEmpty()) {
            return Uni.createFrom().item(Optional.empty());
        }
        return Joined.all(letters.stream()
                .map(letter -> send(letter).invoke(failure -> {
                    if (failure.isEmpty()) {
                        sent.accept(letter);
                    }
                })).toList(), CONCURRENCY)
                .map(failures -> failures.stream().flatMap(Optional::stream).findFirst());
    }

    private static SendMessageRequest request(String url, DeadLetter letter, Part part) {
        Map<String, MessageAttributeValue> attributes = new HashMap<>();
        part.attributes().forEach((name, value) -> attributes.put(name, text(value)));
        SendMessageRequest.Builder request = SendMessageRequest.builder().queueUrl(url).messageBody(part.body())
                .messageAttributes(attributes);
        if (url.endsWith(FIFO_SUFFIX)) {
            // Includes the message's own id: a letter that was replayed and failed again is not a duplicate.
            String id = Long.toHexString(Murmur3.hash64(letter.message().id() + " " + letter.message().identity()));
            request.messageGroupId(letter.message().group() == null ? id : letter.message().group())
                    .messageDeduplicationId(id + "-" + letter.index() + (part.number() == 0 ? "" : "-" + part.number()));
        }
        return request.build();
    }

    private Uni<Void> send(SendMessageRequest request) {
        return Uni.createFrom().completionStage(() -> sqs.sendMessage(request))
                .ifNoItem().after(TIMEOUT).fail()
                .onTermination().invoke(attempted)
                .onFailure(failure -> !isRefused(failure)).retry().withBackOff(FIRST_PAUSE, MAX_PAUSE)
                .atMost(ATTEMPTS - 1).replaceWithVoid();
    }

    /** Whether no retry helps: SQS rejects the message itself, or the error is an unknown client error. */
    static boolean isRefused(Throwable failure) {
        Reason reason = AwsErrors.reason(failure);
        return reason == Reason.REFUSED || reason == Reason.UNKNOWN_ERROR;
    }

    private Uni<Void> send(String url, DeadLetter letter, List<Part> parts) {
        return Joined.all(parts.stream().map(part -> send(request(url, letter, part))).toList(), 1).replaceWithVoid();
    }

    private Uni<Optional<Reason>> send(DeadLetter letter) {
        String url = letter.message().queue().deadLetterUrl();
        if (url == null) {
            return Uni.createFrom().item(Optional.of(Reason.UNAVAILABLE));
        }
        int most = letter.message().queue().deadLetterBytes();
        List<Part> parts = LetterParts.of(letter, most);
        if (parts.isEmpty()) {
            LOG.error("not sent to the dead-letter queue, as it is too large even in " + LetterParts.MAX_PARTS
                    + " parts; the message returns to its queue", LogKey.REASON.of(Reason.LETTER_TOO_LARGE.word()),
                    LogKey.MESSAGE_ID.of(letter.message().id()), LogKey.DETAIL.of("MaximumMessageSize " + most));
            return Uni.createFrom().item(Optional.of(Reason.LETTER_TOO_LARGE));
        }
        boolean packed = parts.get(0).attributes().containsKey(Decompression.ATTRIBUTE);
        Uni<Void> sent = send(url, letter, parts).onFailure(failure -> !packed && isRefused(failure))
                .recoverWithUni(() -> send(url, letter, LetterParts.of(letter.packed(), most)));
        return sent.invoke(() -> LOG.info("sent to the dead-letter queue", LogKey.REASON.of(letter.reason().word()),
                LogKey.MESSAGE_ID.of(letter.message().id()), LogKey.EVENT.of(letter.index()),
                LogKey.DETAIL.of(letter.detail())))
                .replaceWith(Optional.<Reason> empty())
                .onFailure()
                .invoke(failure -> LOG.error("not sent to the dead-letter queue; the message returns to its queue",
                        LogKey.REASON.of(letter.reason().word()), LogKey.MESSAGE_ID.of(letter.message().id()),
                        LogKey.ERROR.of(failure)))
                .onFailure().recoverWithItem(failure -> Optional.of(AwsErrors.reason(failure)));
    }

    /**
     * The reason, the identity of the original message, and as many of the message's own attributes as fit, starting with
     * those that determine how its events are read. A dead letter that fails again after a replay keeps its provenance.
     */
    static Map<String, String> attributes(DeadLetter letter, int maxDetail) {
        Message message = letter.message();
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put(Provenance.REASON, letter.reason().word());
        attributes.put(Provenance.DETAIL, detail(letter.detail(), maxDetail));
        attributes.put(Provenance.SOURCE_MESSAGE_ID, message.id());
        attributes.put(Provenance.SOURCE_SENT, Long.toString(message.identityMillis()));
        if (letter.index() != RejectedEvent.WHOLE) {
            attributes.put(Provenance.SOURCE_EVENT, Integer.toString(letter.index()));
        }
        Map<String, String> own = new HashMap<>(letter.attributes());
        own.put(Provenance.FIRST_SEEN, message.attributes().getOrDefault(Provenance.FIRST_SEEN,
                message.firstReceived().toString()));
        String source = message.attributes().get(Provenance.SOURCE_MESSAGE_ID);
        String event = message.attributes().get(Provenance.SOURCE_EVENT);
        own.remove(Provenance.SOURCE_EVENT);
        if (source != null) {
            attributes.put(Provenance.SOURCE_MESSAGE_ID, source);
        }
        if (source != null && event != null) {
            attributes.merge(Provenance.SOURCE_EVENT, event, (mine, earlier) -> earlier + "#" + mine);
        }
        addUpToLimit(attributes, own, value -> value);
        return attributes;
    }

    /** The detail as an attribute value: without characters that SQS rejects, limited in length, and not empty. */
    private static String detail(String detail, int most) {
        StringBuilder text = new StringBuilder();
        detail.codePoints().limit(most).forEach(c -> text.appendCodePoint(c >= ' ' && isAllowed(c) ? c : '?'));
        return text.length() == 0 ? "none" : text.toString();
    }

    static MessageAttributeValue text(String value) {
        return MessageAttributeValue.builder().dataType("String").stringValue(value).build();
    }

    /**
     * Adds as many message attributes as still fit, starting with those that determine what a message is and how it is read.
     */
    static <V> void addUpToLimit(Map<String, V> chosen, Map<String, V> own, Function<V, String> text) {
        own.keySet().stream().filter(name -> !chosen.containsKey(name) && ATTRIBUTE_NAME.matcher(name).matches()
                && isAllowed(text.apply(own.get(name))))
                .sorted(Comparator.comparingInt(DeadLetters::rank).thenComparing(Comparator.naturalOrder()))
                .limit(MAX_ATTRIBUTES - chosen.size()).forEach(name -> chosen.put(name, own.get(name)));
    }

    /** Returns the names of attributes that say neither what a letter is nor how its body is read, least important first. */
    static List<String> dispensable(Map<String, String> attributes) {
        List<String> names = new ArrayList<>(attributes.keySet());
        names.removeIf(name -> INDISPENSABLE.contains(name)
                || (rank(name) < FIRST_ATTRIBUTES.size() && !name.equals(Provenance.FIRST_SEEN)));
        Collections.reverse(names);
        return names;
    }

    private static int rank(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        int rank = FIRST_ATTRIBUTES.indexOf(lower.startsWith("ce_") ? lower.replace('_', '-') : lower);
        return rank < 0 ? FIRST_ATTRIBUTES.size() : rank;
    }

    /** A body as gzip in Base64, which SQS accepts for any text; the writer decompresses it after a replay. */
    static String compressed(String body) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(body.getBytes(UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Base64.getEncoder().encodeToString(packed.toByteArray());
    }

    static boolean isAllowed(String text) {
        return !text.isEmpty() && text.codePoints().allMatch(DeadLetters::isAllowed);
    }

    /** Whether SQS accepts a code point: those of XML 1.0 (API reference, SendMessage), so no unpaired surrogates. */
    static boolean isAllowed(int character) {
        return character == '\t' || character == '\n' || character == '\r' || (character >= 0x20 && character <= 0xD7FF)
                || (character >= 0xE000 && character <= 0xFFFD) || character >= 0x10000;
    }
}
