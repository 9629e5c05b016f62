package dev.windrow.gather.fanout.dynamo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.hamcrest.Matchers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Dedupe;
import dev.windrow.dataset.Delivery;
import dev.windrow.gather.fanout.GatherException;
import dev.windrow.gather.fanout.ShardPage;
import dev.windrow.gather.fanout.ShardReader;
import dev.windrow.gather.fixture.TestCertificate;
import dev.windrow.gather.query.ShardQuery;
import dev.windrow.gather.query.ShardQuery.Source;
import dev.windrow.measure.Measure;
import dev.windrow.measure.MeasureKind;
import dev.windrow.reason.Reason;
import dev.windrow.scatter.Scatter;
import dev.windrow.time.Granularity;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.PfxOptions;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.crt.AwsCrtAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** What a reader with connections of its own must see to itself. */
@Timeout(60)
class WireShardReaderTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String EMPTY = "{\"Items\":[],\"Count\":0,\"ScannedCount\":0}";

    private final Vertx vertx = Vertx.vertx();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger asked = new AtomicInteger();

    @AfterEach
    void stop() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @Test
    void aReadThatIsGivenUpClosesItsConnection() {
        ShardReader reader = reader(serve(new HttpServerOptions(), request -> {
        }), 1);
        Cancellable read = read(reader).subscribe().with(page -> {
        });
        await().untilAtomic(asked, Matchers.is(1));
        assertThat(open).hasValue(1);

        read.cancel();

        await().untilAtomic(open, Matchers.is(0));
    }

    @Test
    void readsThatAreGivenUpWhileTheyWaitForAConnectionLeaveTheOthersAlone() {
        AtomicReference<HttpServerRequest> first = new AtomicReference<>();
        ShardReader reader = reader(serve(new HttpServerOptions(), request -> {
            if (!first.compareAndSet(null, request)) {
                request.response().end(EMPTY);
            }
        }), 1);
        Uni<ShardPage> held = Uni.createFrom().completionStage(read(reader).subscribeAsCompletionStage());
        await().untilAtomic(asked, Matchers.is(1));
        Cancellable waiting = read(reader).subscribe().with(page -> {
        });
        Uni<ShardPage> next = Uni.createFrom().completionStage(read(reader).subscribeAsCompletionStage());

        waiting.cancel();
        first.get().response().end(EMPTY);

        assertThat(held.await().atMost(PATIENCE).items()).isEmpty();
        assertThat(next.await().atMost(PATIENCE).items()).isEmpty();
    }

    @Test
    void connectionsAreUsedAgain() {
        ShardReader reader = reader(serve(new HttpServerOptions(), request -> request.response().end(EMPTY)), 4);

        for (int i = 0; i < 20; i++) {
            read(reader).await().atMost(PATIENCE);
        }

        assertThat(asked).hasValue(20);
        // Each event loop has its own, and reads of a thread that is none are spread over them.
        assertThat(open).hasValueLessThanOrEqualTo(4);
    }

    @Test
    void anAnswerThatWasDamagedIsNoAnswer() {
        ShardReader reader = reader(serve(new HttpServerOptions(),
                request -> request.response().putHeader("x-amz-crc32", "1").end(EMPTY)), 1);

        assertThat(failure(reader)).hasMessageContaining("damaged").extracting(GatherException::reason)
                .isEqualTo(Reason.UNAVAILABLE);
    }

    @Test
    void anAnswerInOtherWordsIsNoPage() {
        ShardReader reader = reader(serve(new HttpServerOptions(), request -> {
            String body = asked.get() == 1 ? "{\"Items\":[{\"isk\":[]}]}" : "<html>";
            request.response().setStatusCode(asked.get() < 3 ? 200 : 502).end(body);
        }), 1);

        for (int i = 0; i < 3; i++) {
            assertThat(failure(reader).reason()).isEqualTo(Reason.UNAVAILABLE);
        }
    }

    @Test
    void aSessionsTokenIsSent() {
        AtomicReference<MultiMap> headers = new AtomicReference<>();
        URI endpoint = serve(new HttpServerOptions(), request -> {
            headers.set(request.headers());
            request.response().end(EMPTY);
        });

        read(reader(endpoint, 1, AwsSessionCredentials.create("key", "secret", "the+token"))).await().atMost(PATIENCE);

        assertThat(headers.get().get("x-amz-security-token")).isEqualTo("the+token");
        assertThat(headers.get().get("authorization"))
                .contains("SignedHeaders=content-type;host;x-amz-date;x-amz-security-token;x-amz-target");
        assertThat(headers.get().get("host")).isEqualTo("127.0.0.1:" + endpoint.getPort());
    }

    @Test
    void overTlsOnlyAServerThatIsVouchedForIsAsked() {
        String certificate = TestCertificate.create().toString();
        URI endpoint = serve(new HttpServerOptions().setSsl(true).setKeyCertOptions(
                new PfxOptions().setPath(certificate).setPassword(TestCertificate.PASSWORD)),
                request -> request.response().end(EMPTY));

        assertThat(failure(reader(endpoint, 1)).reason()).isEqualTo(Reason.UNAVAILABLE);
        assertThat(asked).hasValue(0);

        System.setProperty("javax.net.ssl.trustStore", certificate);
        System.setProperty("javax.net.ssl.trustStorePassword", TestCertificate.PASSWORD);
        try {
            assertThat(read(reader(endpoint, 1)).await().atMost(PATIENCE).items()).isEmpty();
        } finally {
            System.clearProperty("javax.net.ssl.trustStore");
            System.clearProperty("javax.net.ssl.trustStorePassword");
        }
    }

    private static GatherException failure(ShardReader reader) {
        GatherException failure = catchThrowableOfType(GatherException.class,
                () -> read(reader).await().atMost(PATIENCE));
        assertThat(failure).isNotNull();
        return failure;
    }

    private static Uni<ShardPage> read(ShardReader reader) {
        Dataset dataset = new Dataset("clicks", "click", List.of("referrer"), List.of(Granularity.MINUTE),
                List.of(Granularity.MINUTE), 1, List.of(new Measure("events", MeasureKind.COUNT, null)), Scatter.hash(1),
                Delivery.AT_LEAST_ONCE, Dedupe.MESSAGE);
        ShardQuery query = new ShardQuery(Source.INDEX, 0, "p", "a", "b", false, false, Instant.EPOCH, Optional.empty());
        return reader.read(new ShardReader.Read(dataset, query, Optional.empty(), 10));
    }

    private ShardReader reader(URI endpoint, int connections) {
        return reader(endpoint, connections, AwsBasicCredentials.create("key", "secret"));
    }

    private ShardReader reader(URI endpoint, int connections, AwsCredentials credentials) {
        try (DynamoDbAsyncClient sdk = DynamoDbAsyncClient.builder().endpointOverride(endpoint).region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(credentials))
                .httpClientBuilder(AwsCrtAsyncHttpClient.builder()).build()) {
            return new WireShardReader(vertx, sdk, "windrow", PATIENCE, connections, Runnable::run, Clock.systemUTC());
        }
    }

    private URI serve(HttpServerOptions options, Handler<HttpServerRequest> handler) {
        HttpServer server = vertx.createHttpServer(options.setHost("127.0.0.1").setPort(0));
        server.connectionHandler(connection -> {
            open.incrementAndGet();
            connection.closeHandler(closed -> open.decrementAndGet());
        });
        server.requestHandler(request -> request.body().onSuccess(body -> {
            asked.incrementAndGet();
            handler.handle(request);
        }));
        server.listen().toCompletionStage().toCompletableFuture().join();
        return URI.create((options.isSsl() ? "https" : "http") + "://127.0.0.1:" + server.actualPort());
    }
}
