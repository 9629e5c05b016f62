package dev.windrow.aws;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Logger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.windrow.testing.LogLines;
import dev.windrow.testing.Patience;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

class AwsJsonClientFactoryTest {

    /** Nothing is sent through it, and it is not closed, which takes seconds. */
    private static final SdkAsyncHttpClient UNUSED = NettyNioAsyncHttpClient.create();

    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void stop() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @Test
    void saysWhyCredentialsCouldNotBeRefreshedAndWhatFollows() {
        // Given credentials that can be resolved once
        AtomicInteger resolved = new AtomicInteger();
        AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-20T10:00:00Z"));
        try (SqsAsyncClient sdk = SqsAsyncClient.builder().endpointOverride(server()).region(Region.US_EAST_1)
                .credentialsProvider(() -> {
                    if (resolved.getAndIncrement() > 0) {
                        throw SdkClientException.create("no answer from the metadata service");
                    }
                    return AwsBasicCredentials.create("key", "secret");
                }).httpClient(UNUSED).build()) {
            AwsJsonClient client = new AwsJsonClientFactory(vertx, NetworkSettings.direct(), Runnable::run,
                    ((InstantSource) now::get).withZone(ZoneOffset.UTC)).sqs(sdk, 1);
            assertThat(post(client).isOk()).isTrue();
            try (LogLines lines = LogLines.of(Logger.getLogger(AwsJsonClientFactory.class.getName()))) {

                // When
                now.set(now.get().plusSeconds(2));
                AwsResponse answer = post(client);

                // Then
                assertThat(answer.isOk()).isTrue();
                assertThat(lines.all()).containsExactly("WARN credentials could not be refreshed; using the previous ones until"
                        + " they expire: reason=unavailable error=\"no answer from the metadata service\"");
            }
        }
    }

    private static AwsResponse post(AwsJsonClient client) {
        return client.post("AmazonSQS.ListQueues", "{}".getBytes(UTF_8), Patience.LIMIT).await().atMost(Patience.LIMIT);
    }

    private URI server() {
        HttpServer server = vertx.createHttpServer().requestHandler(request -> request.response().end("{}"));
        server.listen(0, "127.0.0.1").toCompletionStage().toCompletableFuture().join();
        return URI.create("http://127.0.0.1:" + server.actualPort());
    }
}
