package dev.windrow.aws;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.ZoneOffset.UTC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.logging.Logger;
import java.util.stream.Stream;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.base.Reason;
import dev.windrow.testing.LogLines;
import dev.windrow.testing.Patience;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.impl.VertxInternal;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/** What a client with connections of its own must see to itself. */
class AwsJsonClientTest {

    private static final Duration PATIENCE = Patience.LIMIT;
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final String ANSWER = "{\"ok\":true}";
    private static final String SIGNATURE_REFUSED = "{\"__type\":\"com.amazon.coral.service#InvalidSignatureException\"}";
    private static final DateTimeFormatter SIGNED_TIME = DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(UTC);

    /** Nothing is sent through it, and it is not closed, which takes seconds. */
    private static final SdkAsyncHttpClient UNUSED = NettyNioAsyncHttpClient.create();

    @AutoClose
    private final Vertx vertx = Vertx.vertx();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger asked = new AtomicInteger();

    @Test
    void aRequestIsAnswered() {
        AtomicReference<MultiMap> headers = new AtomicReference<>();
        URI endpoint = serve(request -> {
            headers.set(request.headers());
            request.response().end(ANSWER);
        });

        AwsResponse answer = post(client(endpoint, 1)).await().atMost(PATIENCE);

        assertThat(answer.isOk()).isTrue();
        assertThat(new String(answer.body(), UTF_8)).isEqualTo(ANSWER);
        assertThat(headers.get().get("host")).isEqualTo("127.0.0.1:" + endpoint.getPort());
        assertThat(headers.get().get("x-amz-target")).isEqualTo("Service.Operation");
        assertThat(headers.get().get("authorization"))
                .contains("/us-east-1/dynamodb/", "SignedHeaders=content-type;host;x-amz-date;x-amz-target");
    }

    @Test
    void aSessionsTokenIsSent() {
        AtomicReference<MultiMap> headers = new AtomicReference<>();
        AwsJsonClient client = client(serve(request -> {
            headers.set(request.headers());
            request.response().end(ANSWER);
        }), 1, known(() -> AwsSessionCredentials.create("key", "secret", "the+token")));

        post(client).await().atMost(PATIENCE);

        assertThat(headers.get().get("x-amz-security-token")).isEqualTo("the+token");
        assertThat(headers.get().get("authorization"))
                .contains("SignedHeaders=content-type;host;x-amz-date;x-amz-security-token;x-amz-target");
    }

    @Test
    void refusedCredentialsAreResolvedAgain() {
        AtomicInteger sets = new AtomicInteger();
        URI endpoint = serve(request -> {
            boolean revoked = request.getHeader("authorization").contains("Credential=set1/");
            request.response().setStatusCode(revoked ? 400 : 200)
                    .end(revoked ? "{\"__type\":\"com.amazonaws#ExpiredTokenException\"}" : ANSWER);
        });
        AwsJsonClient client = client(endpoint, 1,
                known(() -> AwsBasicCredentials.create("set" + sets.incrementAndGet(), "secret")));

        assertThat(post(client).await().atMost(PATIENCE).refusal().type()).isEqualTo("ExpiredTokenException");

        assertThat(post(client).await().atMost(PATIENCE).isOk()).isTrue();
    }

    /** As services do: five minutes either way, with their own time in each answer. */
    @ParameterizedTest
    @ValueSource(strings = { "PT10M", "-PT10M", "PT26H" })
    void aClockThatDiffersFromTheServicesIsCorrectedByTheAnswer(Duration ahead) {
        URI endpoint = serve(request -> {
            Instant serverTime = Instant.now().plus(ahead);
            Instant signed = SIGNED_TIME.parse(request.getHeader("x-amz-date"), Instant::from);
            boolean refused = Duration.between(signed, serverTime).abs().compareTo(Duration.ofMinutes(5)) > 0;
            request.response().putHeader("Date", DateTimeFormatter.RFC_1123_DATE_TIME.format(serverTime.atZone(UTC)))
                    .setStatusCode(refused ? 400 : 200).end(refused ? SIGNATURE_REFUSED : ANSWER);
        });
        AwsJsonClient client = client(endpoint, 1);

        AwsResponse first = post(client).await().atMost(PATIENCE);
        AwsResponse second = post(client).await().atMost(PATIENCE);

        assertThat(List.of(first, second)).allMatch(AwsResponse::isOk);
        assertThat(asked).hasValue(3);
    }

    @Test
    void aWrongSecretIsNoMatterOfTheClock() {
        AwsJsonClient client = client(serve(request -> request.response()
                .putHeader("Date", DateTimeFormatter.RFC_1123_DATE_TIME.format(Instant.now().atZone(UTC)))
                .setStatusCode(400).end(SIGNATURE_REFUSED)), 1);

        AwsResponse answer = post(client).await().atMost(PATIENCE);

        assertThat(answer.refusal().type()).isEqualTo("InvalidSignatureException");
        assertThat(asked).hasValue(1);
    }

    @Test
    void aServiceThatRefusesEachTimeIsAskedAgainOnce() {
        Random clocks = new Random(1);
        AwsJsonClient client = client(serve(request -> request.response()
                .putHeader("Date", DateTimeFormatter.RFC_1123_DATE_TIME.format(Instant.now()
                        .plus(Duration.ofHours(1 + clocks.nextInt(1_000))).atZone(UTC)))
                .setStatusCode(400).end(SIGNATURE_REFUSED)), 1);

        AwsResponse answer = post(client).await().atMost(PATIENCE);

        assertThat(answer.isOk()).isFalse();
        assertThat(asked).hasValue(2);
    }

    @Test
    void aRequestThatIsGivenUpClosesItsConnection() {
        AwsJsonClient client = client(serve(request -> {
        }), 1);
        Cancellable request = post(client).subscribe().with(answer -> {
        });
        await().atMost(Patience.LIMIT).until(() -> asked.get() == 1);
        assertThat(open).hasValue(1);

        request.cancel();

        await().atMost(Patience.LIMIT).until(() -> open.get() == 0);
    }

    @Test
    void anAnswerThatDoesNotComeIsGivenUp() {
        AwsJsonClient client = client(serve(request -> {
        }), 1);

        assertThatThrownBy(() -> client.post("Service.Operation", new byte[0], SHORT).await().atMost(PATIENCE))
                .isInstanceOfSatisfying(RequestFailedException.class,
                        late -> assertThat(late.reason()).isEqualTo(Reason.TIMED_OUT));

        await().atMost(Patience.LIMIT).until(() -> open.get() == 0);
    }

    @ParameterizedTest
    @MethodSource("credentialFailures")
    void credentialsThatCannotBeResolvedAreAnOutageWhateverTheirProviderThrows(RuntimeException thrown, boolean later) {
        AwsJsonClient client = client(URI.create("http://127.0.0.1:1"), 1, () -> {
            if (later) {
                return CompletableFuture.failedFuture(thrown);
            }
            throw thrown;
        });
        AtomicReference<Throwable> failure = new AtomicReference<>();

        post(client).onFailure().invoke(failure::set).onFailure().recoverWithNull().await().atMost(PATIENCE);

        assertThat(failure.get()).hasStackTraceContaining("no credentials today");
        assertThat(AwsErrors.reason(failure.get())).isEqualTo(Reason.UNAVAILABLE);
    }

    static List<Arguments> credentialFailures() {
        return Stream.of(new IllegalStateException("no credentials today"),
                SdkClientException.create("no credentials today"),
                AwsServiceException.builder().message("no credentials today").statusCode(403)
                        .awsErrorDetails(AwsErrorDetails.builder().errorCode("AccessDenied").build()).build())
                .flatMap(failure -> Stream.of(Arguments.of(failure, true), Arguments.of(failure, false))).toList();
    }

    @Test
    void credentialsThatDoNotComeAreGivenUp() {
        CompletableFuture<AwsCredentials> never = new CompletableFuture<>();
        AwsJsonClient client = client(URI.create("http://127.0.0.1:1"), 1, () -> never);

        assertThatThrownBy(() -> client.post("Service.Operation", new byte[0], SHORT).await().atMost(PATIENCE))
                .isInstanceOfSatisfying(RequestFailedException.class,
                        late -> assertThat(late.reason()).isEqualTo(Reason.TIMED_OUT));
    }

    /** With room for one request, the second waits longer than an answer may take, and is answered at once when it is sent. */
    @Test
    void whatWaitsForAConnectionHasAllItsTimeOnceItIsSent() {
        List<HttpServerRequest> received = new CopyOnWriteArrayList<>();
        AwsJsonClient client = client(serve(request -> {
            received.add(request);
            if (received.size() > 1) {
                request.response().end(ANSWER);
            }
        }), 1);
        CompletableFuture<AwsResponse> held = post(client).subscribeAsCompletionStage();
        await().atMost(Patience.LIMIT).until(() -> asked.get() == 1);
        Duration brief = Duration.ofSeconds(1);
        CompletableFuture<AwsResponse> waiting = client.post("Service.Operation", new byte[0], brief)
                .subscribeAsCompletionStage();
        vertx.setTimer(brief.toMillis() + 1, passed -> received.get(0).response().end(ANSWER));

        assertThat(waiting).succeedsWithin(Patience.LIMIT).matches(AwsResponse::isOk);
        assertThat(held).succeedsWithin(Patience.LIMIT).matches(AwsResponse::isOk);
    }

    @Test
    void requestsThatAreGivenUpWhileTheyWaitForAConnectionLeaveTheOthersAlone() {
        AtomicReference<HttpServerRequest> first = new AtomicReference<>();
        AwsJsonClient client = client(serve(request -> {
            if (!first.compareAndSet(null, request)) {
                request.response().end(ANSWER);
            }
        }), 1);
        CompletableFuture<AwsResponse> held = post(client).subscribeAsCompletionStage();
        await().atMost(Patience.LIMIT).until(() -> asked.get() == 1);
        Cancellable waiting = post(client).subscribe().with(answer -> {
        });
        CompletableFuture<AwsResponse> next = post(client).subscribeAsCompletionStage();

        waiting.cancel();
        first.get().response().end(ANSWER);

        assertThat(held.join().isOk()).isTrue();
        assertThat(next.join().isOk()).isTrue();
        assertThat(asked).hasValue(2);
    }

    @Test
    void noMoreWaitForAConnectionThanFourForEach() {
        AwsJsonClient client = client(serve(request -> {
        }), 1);
        CompletableFuture<AwsResponse> held = post(client).subscribeAsCompletionStage();
        await().atMost(Patience.LIMIT).until(() -> asked.get() == 1);
        for (int i = 0; i < 4; i++) {
            post(client).subscribe().with(answer -> {
            }, failure -> {
            });
        }

        assertThatThrownBy(() -> post(client).await().atMost(PATIENCE)).hasCauseInstanceOf(IOException.class);

        assertThat(held).isNotDone();
    }

    @Test
    void eachEventLoopHasConnectionsOfItsOwn() {
        AwsJsonClient client = client(serve(request -> request.response().end(ANSWER)), 4);
        List<Context> eventLoops = List.of(((VertxInternal) vertx).createEventLoopContext(),
                ((VertxInternal) vertx).createEventLoopContext());

        for (int i = 0; i < 20; i++) {
            CompletableFuture<AwsResponse> answered = new CompletableFuture<>();
            eventLoops.get(i % 2).runOnContext(turn -> post(client).subscribe().with(answered::complete,
                    answered::completeExceptionally));
            answered.join();
        }

        assertThat(asked).hasValue(20);
        assertThat(open).hasValue(2);
    }

    @Test
    void anAnswerThatWasDamagedIsNoAnswer() {
        AwsJsonClient client = client(
                serve(request -> request.response().putHeader("x-amz-crc32", asked.get() == 1 ? "1" : "none")
                        .end(ANSWER)),
                1);

        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> post(client).await().atMost(PATIENCE)).hasRootCauseInstanceOf(IOException.class)
                    .hasMessageContaining("damaged");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = { 0, 1, 70_000, 5 << 20 })
    void aResponseIsCompleteWithOrWithoutItsLength(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        AwsJsonClient client = client(serve(request -> {
            if (asked.get() % 2 == 0) {
                request.response().setChunked(true).write(Buffer.buffer(bytes));
                request.response().end();
            } else {
                request.response().end(Buffer.buffer(bytes));
            }
        }), 1);

        for (int i = 0; i < 2; i++) {
            assertThat(post(client).await().atMost(PATIENCE).body()).isEqualTo(bytes);
        }
    }

    @Test
    void anAnswerOfAbsurdLengthIsNoAnswer() {
        AwsJsonClient client = client(serve(request -> request.response().end(Buffer.buffer(new byte[(64 << 20) + 1]))), 1);

        assertThatThrownBy(() -> post(client).await().atMost(PATIENCE)).hasRootCauseInstanceOf(IOException.class)
                .hasMessageContaining("more than");
    }

    @Test
    void anErrorHasTheServicesMessage() {
        AwsJsonClient client = client(serve(request -> request.response().setStatusCode(400)
                .end("{\"__type\":\"com.amazonaws#Bad\",\"more\":{\"a\":[1]},\"Message\":\"too bad\"}")), 1);

        AwsResponse answer = post(client).await().atMost(PATIENCE);

        assertThat(answer.isOk()).isFalse();
        assertThat(answer.refusal()).isEqualTo(new AwsResponse.Refusal(400, "Bad", "too bad")).hasToString("Bad: too bad");
    }

    @Test
    void anErrorOfAProxyHasItsStatus() {
        AwsJsonClient client = client(serve(request -> request.response().setStatusCode(502).end("<html>")), 1);

        assertThat(post(client).await().atMost(PATIENCE).refusal()).hasToString("status 502: an answer that is no JSON");
    }

    private static Uni<AwsResponse> post(AwsJsonClient client) {
        // Far longer than any test waits, so that no time limit does what a test expects of something else.
        return client.post("Service.Operation", "{}".getBytes(UTF_8), PATIENCE.multipliedBy(5));
    }

    @Test
    void saysWhyCredentialsCouldNotBeRefreshedAndWhatFollows() {
        // Given credentials that can be resolved once
        AtomicInteger resolved = new AtomicInteger();
        AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-20T10:00:00Z"));
        try (SqsAsyncClient sdk = SqsAsyncClient.builder().endpointOverride(serve(request -> request.response().end(ANSWER)))
                .region(Region.US_EAST_1)
                .credentialsProvider(() -> {
                    if (resolved.getAndIncrement() > 0) {
                        throw SdkClientException.create("no answer from the metadata service");
                    }
                    return AwsBasicCredentials.create("key", "secret");
                }).httpClient(UNUSED).build()) {
            AwsJsonClient client = new AwsJsonClientFactory(vertx, NetworkSettings.direct(), Runnable::run,
                    ((InstantSource) now::get).withZone(UTC)).sqs(sdk, 1);
            assertThat(post(client).await().atMost(PATIENCE).isOk()).isTrue();
            try (LogLines lines = LogLines.of(Logger.getLogger(AwsJsonClientFactory.class.getName()))) {

                // When
                now.set(now.get().plusSeconds(2));
                AwsResponse answer = post(client).await().atMost(PATIENCE);

                // Then
                assertThat(answer.isOk()).isTrue();
                assertThat(lines.all()).containsExactly("WARN credentials could not be refreshed; using the previous ones until"
                        + " they expire: reason=unavailable error=\"no answer from the metadata service\"");
            }
        }
    }

    private AwsJsonClient client(URI endpoint, int connections) {
        return client(endpoint, connections, known(() -> AwsBasicCredentials.create("key", "secret")));
    }

    private AwsJsonClient client(URI endpoint, int connections, Supplier<CompletableFuture<AwsCredentials>> credentials) {
        SignerCache signers = new SignerCache(() -> credentials.get(),
                identity -> new SigV4Signer(identity, "dynamodb", "us-east-1", "/"), Runnable::run, Clock.systemUTC(),
                failure -> {
                });
        return new AwsJsonClient(vertx, endpoint, NetworkSettings.direct(), connections, signers, Clock.systemUTC());
    }

    private static Supplier<CompletableFuture<AwsCredentials>> known(Supplier<AwsCredentials> credentials) {
        return () -> CompletableFuture.completedFuture(credentials.get());
    }

    private URI serve(Handler<HttpServerRequest> handler) {
        HttpServer server = vertx.createHttpServer(new HttpServerOptions().setHost("127.0.0.1").setPort(0));
        server.connectionHandler(connection -> {
            open.incrementAndGet();
            connection.closeHandler(closed -> open.decrementAndGet());
        });
        server.requestHandler(request -> request.body().onSuccess(body -> {
            asked.incrementAndGet();
            handler.handle(request);
        }));
        server.listen().toCompletionStage().toCompletableFuture().join();
        return URI.create("http://127.0.0.1:" + server.actualPort());
    }
}
