package dev.windrow.writer.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.random.RandomGenerator;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.base.Reason;
import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.provision.QueueProvisioner.ProvisionedQueues;
import dev.windrow.provision.QueueProvisioner.QueueSpec;
import dev.windrow.testing.GeneratedCases;
import dev.windrow.testing.Patience;
import dev.windrow.testing.Seeds;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.Message.MessageBody;
import dev.windrow.writer.decode.Message.SourceQueue;
import dev.windrow.writer.queue.DeadLetters.DeadLetter;
import dev.windrow.writer.testing.Gzip;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.SqsException;

class DeadLetterSenderTest {

    private static final int CASES = GeneratedCases.count("windrow.fuzz.dead-letters", 8, 30);

    private static final Instant SENT = Instant.parse("2026-11-20T10:31:40.25Z");

    @AutoClose
    private static LocalAws aws = LocalAws.start(LocalAwsOptions.forTests().withoutProvisioning());
    private static int queues;

    private ProvisionedQueues urls;
    private dev.windrow.writer.testing.TestQueue deadLetters;
    private DeadLetters letters;

    @BeforeEach
    void createQueues() {
        create("letters-" + queues++);
    }

    private void create(String name) {
        urls = aws.createQueue(QueueSpec.named(name));
        deadLetters = new dev.windrow.writer.testing.TestQueue(aws.sqs(), urls.deadLetterUrl());
        letters = new DeadLetters(aws.sqs(), () -> {
        });
    }

    @Test
    void keepsWhatSaysHowAMessageIsReadBeforeAllOtherAttributes() {
        // Given: more attributes than fit, those in question last by name and by chance
        Map<String, String> attributes = new HashMap<>(
                Map.of("tenant", "acme", "type", "click", "content-encoding", "gzip"));
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

    @Test
    void aLetterThatWasReplayedAndFailsAgainAtOnceIsKeptInAFifoQueue() {
        // Given
        create("letters-" + queues++ + ".fifo");
        send(DeadLetter.whole(message("first", "body", Map.of()), Reason.NOT_JSON, "x"));

        // When: the same message under a new id, as a replay makes it; and once more, as a redelivery does
        Message replayed = message("second", "body", Map.of("source-message-id", "first", "source-sent", "1"));
        send(DeadLetter.whole(replayed, Reason.NOT_JSON, "x"));
        send(DeadLetter.whole(replayed, Reason.NOT_JSON, "x"));

        // Then
        assertThat(deadLetters.size()).isEqualTo(2);
    }

    private boolean send(DeadLetter letter) {
        return letters.send(List.of(letter)).await().atMost(Patience.LIMIT);
    }

    private Message message(String id, String body, Map<String, String> attributes) {
        SourceQueue queue = new SourceQueue("test", urls.url(), urls.url().endsWith(".fifo"), Duration.ofSeconds(30),
                Duration.ofDays(4),
                urls.deadLetterUrl(), SourceQueue.UNLIMITED);
        return new Message(queue, id, "receipt", MessageBody.of(body), attributes, SENT, SENT, 1, null);
    }

    private software.amazon.awssdk.services.sqs.model.Message only() {
        List<software.amazon.awssdk.services.sqs.model.Message> all = deadLetters.drain();
        assertThat(all).hasSize(1);
        return all.get(0);
    }

    /** As the writer reads the letter when it is replayed. */
    private static String readAgain(software.amazon.awssdk.services.sqs.model.Message letter) {
        return attributes(letter).containsKey("content-encoding") ? Gzip.text(letter.body()) : letter.body();
    }

    private static Map<String, String> attributes(software.amazon.awssdk.services.sqs.model.Message letter) {
        Map<String, String> texts = new HashMap<>();
        letter.messageAttributes().forEach((String name, MessageAttributeValue value) -> texts.put(name,
                value.stringValue()));
        return texts;
    }
}
