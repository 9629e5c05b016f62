package dev.windrow.gather.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import dev.windrow.base.Reason;
import dev.windrow.local.network.PrivateAuthority;
import dev.windrow.testing.Patience;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.PfxOptions;

/** Covers what a reader without the SDK must handle itself. */
class DynamoShardReaderTest {

    private static final Duration PATIENCE = Patience.LIMIT;
    private static final String EMPTY = "{\"Items\":[],\"Count\":0,\"ScannedCount\":0}";

    @AutoClose
    private final Vertx vertx = Vertx.vertx();
    private final AtomicInteger asked = new AtomicInteger();

    @Test
    void anAnswerInOtherWordsIsNoPage() {
        ShardReader reader = reader(serve(new HttpServerOptions(), request -> {
            String body = asked.get() == 1 ? "{\"Items\":[{\"isk\":[]}]}" : "<html>";
            request.response().setStatusCode(asked.get() < 3 ? 200 : 502).end(body);
        }));

        for (int i = 0; i < 3; i++) {
            assertThat(failure(reader).reason()).isEqualTo(Reason.UNAVAILABLE);
        }
    }

    @Test
    void overTlsOnlyATrustedServerIsUsed() {
        String keyStore = PrivateAuthority.create("localhost").keyStore().toString();
        URI endpoint = serve(new HttpServerOptions().setSsl(true).setKeyCertOptions(
                new PfxOptions().setPath(keyStore).setPassword(PrivateAuthority.PASSWORD).setAlias(PrivateAuthority.SERVER)),
                request -> request.response().end(EMPTY));

        assertThat(failure(reader(endpoint)).reason()).isEqualTo(Reason.UNAVAILABLE);
        assertThat(asked).hasValue(0);

        System.setProperty("javax.net.ssl.trustStore", keyStore);
        System.setProperty("javax.net.ssl.trustStorePassword", PrivateAuthority.PASSWORD);
        try {
            assertThat(read(reader(endpoint)).await().atMost(PATIENCE).items()).isEmpty();
        } finally {
            System.clearProperty("javax.net.ssl.trustStore");
            System.clearProperty("javax.net.ssl.trustStorePassword");
        }
    }

    private static GatherException failure(ShardReader reader) {
        GatherException failure = catchThrowableOfType(GatherException.class, () -> read(reader).await().atMost(PATIENCE));
        assertThat(failure).isNotNull();
        return failure;
    }

    private static Uni<ShardPage> read(ShardReader reader) {
        return reader.read(SampleShards.firstPage());
    }

    private ShardReader reader(URI endpoint) {
        try (ReaderConnection connection = new ReaderConnection(vertx, endpoint)) {
            return connection.reader(PATIENCE);
        }
    }

    private URI serve(HttpServerOptions options, Handler<HttpServerRequest> handler) {
        HttpServer server = vertx.createHttpServer(options.setHost("localhost").setPort(0));
        server.requestHandler(request -> request.body().onSuccess(body -> {
            asked.incrementAndGet();
            handler.handle(request);
        }));
        server.listen().toCompletionStage().toCompletableFuture().join();
        return URI.create((options.isSsl() ? "https" : "http") + "://localhost:" + server.actualPort());
    }
}
