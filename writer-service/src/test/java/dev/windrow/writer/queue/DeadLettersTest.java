package dev.windrow.writer.queue;

import static dev.windrow.writer.testing.TestQueue.attributes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.base.Reason;
import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.provision.ProvisionedQueues;
import dev.windrow.provision.QueueSpec;
import dev.windrow.table.AwsLimits;
import dev.windrow.testing.GeneratedCases;
import dev.windrow.testing.Patience;
import dev.windrow.testing.Seeds;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.MessageBody;
import dev.windrow.writer.decode.SourceQueue;
import dev.windrow.writer.testing.Gzip;
import dev.windrow.writer.testing.TestQueue;
import io.smallrye.mutiny.Uni;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.SqsException;

class DeadLettersTest {

    private static final Duration RETENTION = Duration.ofDays(15);

    private static final int CASES = GeneratedCases.count("windrow.fuzz.dead-letters", 8, 30);
    private static final Instant SENT = Instant.parse("2026-11-20T10:31:40.25Z");

    @AutoClose
    private static LocalAws aws;
    private static int queues;

    private final DeadLetters sender = new DeadLetters(aws.sqs(), () -> {
    });
    private TestQueue queue;
    private TestQueue letters;
    private int deadLetterBytes = AwsLimits.MESSAGE_BYTES;

    @BeforeAll
    static void startServers() {
        aws = LocalAws.start(LocalAwsOptions.forTests().withoutProvisioning());
    }

    @BeforeEach
    void createQueues() {
        create("dead-" + queues++);
    }

    private void create(String name) {
        ProvisionedQueues urls = aws.createQueue(QueueSpec.named(name));
        queue = new TestQueue(aws.sqs(), urls.url());
        letters = new TestQueue(aws.sqs(), urls.deadLetterUrl());
    }

    @Test
    void receivesNoMoreLettersBeforeThoseBeforeAreTaken() {
        // Given
        fill(35);
        List<Integer> batches = new CopyOnWriteArrayList<>();
        CompletableFuture<Void> taken = new CompletableFuture<>();

        // When the first letters are not taken
        CompletableFuture<Void> listed = at(Instant.now()).list(100, batch -> {
            batches.add(batch.size());
            return Uni.createFrom().completionStage(taken);
        }).subscribeAsCompletionStage();

        // Then no more are received
        await().atMost(Patience.LIMIT).until(() -> !batches.isEmpty());
        await().during(Duration.ofMillis(500)).atMost(Patience.LIMIT).until(() -> batches.size() == 1 && batches.get(0) <= 10);
        taken.complete(null);
        listed.join();
        assertThat(batches).allMatch(size -> size <= 10);
        assertThat(batches.stream().mapToInt(size -> size).sum()).isEqualTo(35);
    }

    @Test
    void showsLettersAgainWhenWhoeverListsThemGoesAway() {
        // Given
        fill(15);

        // When
        assertThatThrownBy(() -> at(Instant.now()).list(100, batch -> Uni.createFrom().failure(
                new IllegalStateException("gone"))).await().atMost(Patience.LIMIT)).hasMessage("gone");

        // Then
        List<String> bodies = new ArrayList<>();
        at(Instant.now()).list(100, batch -> {
            batch.forEach(letter -> bodies.add(letter.body()));
            return Uni.createFrom().voidItem();
        }).await().atMost(Patience.LIMIT);
        assertThat(new HashSet<>(bodies)).hasSize(15);
    }

    @Test
    void leavesWhatMayBeForgottenByTheFirstSentTime() {
        // Given
        Instant now = Instant.now();
        letters.send("known", Map.of("source-sent", Long.toString(now.minus(RETENTION).plusSeconds(60).toEpochMilli())));
        letters.send("forgotten", Map.of("source-sent", Long.toString(now.minus(RETENTION).minusSeconds(60).toEpochMilli())));

        // When
        ReplayResult replay = replay(now, 10, false);

        // Then
        assertThat(replay.sentCount()).isEqualTo(1);
        assertThat(replay.leftLetters()).singleElement().satisfies(left -> {
            assertThat(left.reason()).isEqualTo(Reason.CLAIM_EXPIRED);
            assertThat(left.detail()).contains("15d");
        });
        assertThat(queue.drain()).singleElement().satisfies(message -> assertThat(message.body()).isEqualTo("known"));
        assertThat(letters.drain()).as("shown again at once").hasSize(1);
    }

    /** Its sent time is the time when SQS moved it, not the one by which it was counted. */
    @Test
    void leavesWhatSqsMovedInAFifoQueueUnlessForced() {
        // Given
        create("dead-" + queues++ + ".fifo");
        Instant now = Instant.now();
        sendFifo("moved by SQS", Map.of());
        sendFifo("sent by the writer", Map.of("source-sent", text(Long.toString(now.toEpochMilli())), "source-message-id",
                text("original")));

        // When
        ReplayResult replay = replay(now, 10, false);

        // Then
        assertThat(replay.sentCount()).isEqualTo(1);
        assertThat(replay.leftLetters()).singleElement().satisfies(left -> {
            assertThat(left.reason()).isEqualTo(Reason.MISSING_FIELD);
            assertThat(left.detail()).startsWith("source-sent: ").contains("force=true");
        });
        assertThat(queue.drain()).singleElement()
                .satisfies(message -> assertThat(message.body()).isEqualTo("sent by the writer"));

        // When
        ReplayResult forced = replay(now, 10, true);

        // Then
        assertThat(forced.sentCount()).isEqualTo(1);
        assertThat(queue.drain()).singleElement().satisfies(message -> assertThat(message.body()).isEqualTo("moved by SQS"));
    }

    /** Gives each message its own group, because one that stays blocks its group. */
    private void sendFifo(String body, Map<String, MessageAttributeValue> attributes) {
        aws.sqs().sendMessage(request -> request.queueUrl(letters.url()).messageBody(body).messageAttributes(attributes)
                .messageGroupId(body.replace(' ', '-')).messageDeduplicationId(body.replace(' ', '-'))).join();
    }

    private static MessageAttributeValue text(String value) {
        return MessageAttributeValue.builder().dataType("String").stringValue(value).build();
    }

    private void fill(int count) {
        for (int i = 0; i < count; i++) {
            letters.send("letter " + i);
        }
    }

    private DeadLetterOperations at(Instant now) {
        return new DeadLetterOperations(aws.sqs(), letters.url(), RETENTION, Clock.fixed(now, ZoneOffset.UTC));
    }

    private ReplayResult replay(Instant now, int maximum, boolean force) {
        // ElasticMQ counts a letter as visible a millisecond after it can be received.
        await().atMost(Patience.LIMIT).until(() -> letters.visible() == letters.size());
        return at(now).replay(queue.url(), maximum, force).await().atMost(Patience.LIMIT);
    }

    @Test
    void keepsWhatSaysHowAMessageIsReadBeforeAllOtherAttributes() {
        // Given more attributes than fit; the ones under test come last by name
        Map<String, String> attributes = new HashMap<>(Map.of("tenant", "acme", "type", "click", "content-encoding", "gzip"));
        for (int i = 0; i < 7; i++) {
            attributes.put("a" + i, "x");
        }

        // When
        boolean sent = send(DeadLetter.whole(message("m", "body", attributes), Reason.NOT_JSON, "body: expected JSON"));

        // Then
        assertThat(sent).isTrue();
        assertThat(attributes(only())).hasSize(10).containsEntry("reason", "not-json").containsEntry("tenant", "acme")
                .containsEntry("type", "click").containsEntry("content-encoding", "gzip");
    }

    @ParameterizedTest
    @ValueSource(strings = { "ce-", "ce_", "Ce-" })
    void keepsTheTypeAndTimeOfABinaryCloudEvent(String prefix) {
        // Given
        Map<String, String> attributes = new HashMap<>(Map.of("tenant", "acme", "content-encoding", "gzip", "type", "x"));
        List.of("dataschema", "id", "source", "specversion", "subject", "time", "type")
                .forEach(name -> attributes.put(prefix + name, name));

        // When
        boolean sent = send(DeadLetter.whole(message("m", "body", attributes), Reason.UNKNOWN_EVENT_TYPE, "type"));

        // Then
        assertThat(sent).isTrue();
        assertThat(attributes(only())).hasSize(10).containsKeys("tenant", "content-encoding", prefix + "specversion",
                prefix + "type", prefix + "time", "source-message-id", "source-sent");
    }

    /** A producer's own attribute of this name is no part of the identity, neither before nor after a replay. */
    @Test
    void keepsTheIdentityOfAMessageWithAnAttributeSourceEvent() {
        // Given
        Message message = message("m", "body", Map.of("source-event", "signup"));

        // When
        send(DeadLetter.whole(message, Reason.REFUSED, "refused"));

        // Then
        assertThat(message("other", "body", attributes(only())).identity()).isEqualTo(message.identity());

        // When SQS itself moves such a message
        letters.send("body", Map.of("source-event", "signup"));
        replay(SENT, 1, false);

        // Then
        assertThat(attributes(queue.drain().get(0))).containsKey("source-message-id").doesNotContainKey("source-event");
    }

    @ParameterizedTest
    @ValueSource(strings = { "a\u0000b", "\u001b[31m", "\uffff", "\ufffe and \u000b", "fine \ud83d\ude00 \u0007" })
    void packsATextThatSqsDoesNotTakeSoThatItIsReadAgainBitForBit(String text) {
        // When
        boolean sent = send(DeadLetter.event(message("m", "body", Map.of("content-encoding", "gzip")), 3, text, Map.of(),
                Reason.NOT_JSON, "body: " + text));

        // Then
        assertThat(sent).isTrue();
        assertThat(readAgain(only())).isEqualTo(text);
    }

    @Test
    void packsWhateverTextInARoundTrip() {
        RandomGenerator random = Seeds.random("packsWhatever");
        for (int i = 0; i < CASES; i++) {
            StringBuilder text = new StringBuilder("{");
            random.ints(random.nextInt(1, 50), 0, 0x300).forEach(text::appendCodePoint);
            assertThat(send(DeadLetter.event(message("m" + i, "body", Map.of()), 0, text.toString(), Map.of(),
                    Reason.NOT_JSON, "x"))).isTrue();
            assertThat(readAgain(only())).isEqualTo(text.toString());
        }
    }

    @Test
    void sendsATextThatSqsAcceptsUnchanged() {
        send(DeadLetter.event(message("m", "body", Map.of()), 0, "tab\there \ud83d\ude00", Map.of(), Reason.NOT_JSON, "x"));

        software.amazon.awssdk.services.sqs.model.Message letter = only();
        assertThat(letter.body()).isEqualTo("tab\there \ud83d\ude00");
        assertThat(attributes(letter)).doesNotContainKey("content-encoding");
    }

    @Test
    @Tag("slow")
    void packsATextThatIsTooLarge() {
        String text = "x".repeat(3_000_000);

        assertThat(send(DeadLetter.event(message("m", "body", Map.of()), 0, text, Map.of(), Reason.NOT_JSON, "x"))).isTrue();

        assertThat(readAgain(only())).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({ "InvalidMessageContents, true", "InvalidParameterValue, true", "SomethingNew, true", "KmsThrottled, false",
            "AWS.SimpleQueueService.NonExistentQueue, false", "ExpiredToken, false" })
    void onlyErrorsOfTheLetterItselfAreFinal(String code, boolean refused) {
        AwsServiceException failure = SqsException.builder().statusCode(400)
                .awsErrorDetails(AwsErrorDetails.builder().errorCode(code).errorMessage("no").build()).message("no").build();

        assertThat(DeadLetters.isRefused(new CompletionException(failure))).isEqualTo(refused);
    }

    /** As large as SQS takes, so that not even the reason fits beside it. */
    @Test
    void aLetterThatIsTooLargeWithItsAttributesIsSentInParts() {
        String body = noise(1_048_500);

        assertThat(send(DeadLetter.whole(message("m", body, Map.of("tenant", "t", "more", "x".repeat(50))), Reason.NOT_JSON,
                "x".repeat(2_000)))).isTrue();

        List<software.amazon.awssdk.services.sqs.model.Message> parts = letters.drain();
        assertThat(parts).hasSize(2).allSatisfy(part -> {
            assertThat(size(part)).isLessThanOrEqualTo(AwsLimits.MESSAGE_BYTES);
            assertThat(attributes(part)).containsEntry("reason", "not-json").containsEntry("source-message-id", "m")
                    .containsEntry("tenant", "t").doesNotContainKey("more");
        });
        assertThat(parts.stream().sorted(Comparator.comparing(part -> attributes(part).get("letter-part")))
                .map(software.amazon.awssdk.services.sqs.model.Message::body).collect(Collectors.joining())).isEqualTo(body);
    }

    @ParameterizedTest
    @CsvSource({ "1024, 1500", "2000, 60000", "100000, 99900", "100000, 300000", "262144, 700000" })
    void partsAreReplayedAsTheMessageTheyCameFrom(int most, int bytes) {
        // Given a dead-letter queue of smaller messages
        deadLetterBytes = most;
        String body = noise(bytes);
        Message message = message("m", body, Map.of("type", "click", "a", "x".repeat(400), "b", "y"));
        assertThat(send(DeadLetter.whole(message, Reason.NOT_JSON, "x".repeat(2_000)))).isTrue();
        at(Instant.now()).list(100, batch -> {
            batch.forEach(part -> assertThat(size(part)).isLessThanOrEqualTo(most));
            return Uni.createFrom().voidItem();
        }).await().atMost(Patience.LIMIT);

        // When
        ReplayResult replay = replay(SENT, 1_000, false);

        // Then
        assertThat(replay.leftCount()).isZero();
        assertThat(letters.size()).isZero();
        assertThat(queue.drain()).singleElement().satisfies(again -> {
            assertThat(readAgain(again)).isEqualTo(body);
            assertThat(attributes(again)).containsEntry("source-message-id", "m").containsEntry("type", "click")
                    .doesNotContainKey("letter-part");
        });
    }

    @Test
    void leavesPartsOfWhichOneIsMissing() {
        letters.send("a", Map.of("source-message-id", "m", "source-sent", Long.toString(SENT.toEpochMilli()), "letter-part",
                "1/2"));

        ReplayResult replay = replay(SENT, 10, false);

        assertThat(replay.sentCount()).isZero();
        assertThat(replay.leftLetters()).singleElement()
                .satisfies(left -> assertThat(left.detail()).contains("not all parts"));
        assertThat(letters.size()).isOne();
    }

    private static String noise(int characters) {
        byte[] noise = new byte[characters];
        Seeds.random("noise").nextBytes(noise);
        return Base64.getEncoder().encodeToString(noise).substring(0, characters);
    }

    private static int size(software.amazon.awssdk.services.sqs.model.Message message) {
        return message.body().length() + message.messageAttributes().entrySet().stream()
                .mapToInt(attribute -> attribute.getKey()
                        .length() + attribute.getValue().dataType().length() + attribute.getValue().stringValue().length())
                .sum();
    }

    @Test
    void saysWhyALetterWasNotSentAndNamesThoseThatWere() {
        // Given a letter that is too large even in parts
        deadLetterBytes = 1_024;
        DeadLetter small = DeadLetter.whole(message("small", "body", Map.of()), Reason.NOT_JSON, "x");
        DeadLetter large = DeadLetter.whole(message("large", noise(200_000), Map.of()),
                Reason.NOT_JSON, "x");
        List<DeadLetter> sent = new CopyOnWriteArrayList<>();

        // When
        Optional<Reason> failure = sender.send(List.of(large, small), sent::add).await().atMost(Patience.LIMIT);

        // Then
        assertThat(failure).contains(Reason.LETTER_TOO_LARGE);
        assertThat(sent).containsExactly(small);
        assertThat(attributes(only())).containsEntry("source-message-id", "small");
    }

    @Test
    void aLetterThatWasReplayedAndFailsAgainAtOnceIsKeptInAFifoQueue() {
        // Given
        create("dead-" + queues++ + ".fifo");
        send(DeadLetter.whole(message("first", "body", Map.of()), Reason.NOT_JSON, "x"));

        // When the same message fails under a new id, as after a replay, and again, as after a redelivery
        Message replayed = message("second", "body", Map.of("source-message-id", "first", "source-sent", "1"));
        send(DeadLetter.whole(replayed, Reason.NOT_JSON, "x"));
        send(DeadLetter.whole(replayed, Reason.NOT_JSON, "x"));

        // Then
        assertThat(letters.size()).isEqualTo(2);
    }

    private boolean send(DeadLetter letter) {
        return sender.send(List.of(letter), sent -> {
        }).await().atMost(Patience.LIMIT).isEmpty();
    }

    private Message message(String id, String body, Map<String, String> attributes) {
        SourceQueue source = new SourceQueue("test", queue.url(), queue.url().endsWith(".fifo"), Duration.ofSeconds(30),
                Duration.ofDays(4),
                letters.url(), deadLetterBytes, SourceQueue.UNLIMITED);
        return new Message(source, id, "receipt", MessageBody.of(body), attributes, SENT, SENT, 1, null);
    }

    private software.amazon.awssdk.services.sqs.model.Message only() {
        List<software.amazon.awssdk.services.sqs.model.Message> all = letters.drain();
        assertThat(all).hasSize(1);
        return all.get(0);
    }

    /** Reads the letter as the writer does after a replay. */
    private static String readAgain(software.amazon.awssdk.services.sqs.model.Message letter) {
        return attributes(letter).containsKey("content-encoding") ? Gzip.text(letter.body()) : letter.body();
    }
}
