package dev.windrow.gather.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.local.network.PrivateAuthority;
import dev.windrow.testing.Patience;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.impl.VertxInternal;
import io.vertx.core.net.PfxOptions;

/** The connections of an HTTPS server; those of a plain one are tested with the service. */
class ConnectionGuardTest {

    private static final String LAST = "POST /last HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n";
    private static final String SMUGGLED = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n";

    @AutoClose
    private final Vertx vertx = Vertx.vertx();

    @ParameterizedTest
    @ValueSource(booleans = { true, false })
    void nothingFollowsARequestThatArrivesWithTheEndOfTheHandshake(boolean alpn) throws Exception {
        // Given
        HttpServer server = vertx.createHttpServer(new HttpServerOptions().setHost("localhost").setSsl(true).setUseAlpn(alpn)
                .setKeyCertOptions(new PfxOptions().setPath(PrivateAuthority.create("localhost").keyStore().toString())
                        .setPassword(PrivateAuthority.PASSWORD).setAlias(PrivateAuthority.SERVER)));
        server.requestHandler(request -> {
            if (request.getHeader(HttpHeaders.TRANSFER_ENCODING) != null) {
                request.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
            }
            request.endHandler(end -> request.response().end(request.path()));
        });
        server.listen(0).toCompletionStage().toCompletableFuture().join();
        new ConnectionGuard.Installer(vertx).https(null);
        EventLoopGroup acceptors = ((VertxInternal) vertx).getAcceptorEventLoopGroup();
        for (var acceptor : acceptors) {
            acceptor.submit(() -> {
            }).get(Patience.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        }

        // When
        String answers;
        try (HeldSocket socket = new HeldSocket(server.actualPort())) {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] { InsecureTrustManagerFactory.INSTANCE.getTrustManagers()[0] }, null);
            SSLSocket secure = (SSLSocket) context.getSocketFactory().createSocket(socket, "localhost", server.actualPort(),
                    true);
            secure.setSoTimeout((int) Patience.LIMIT.toMillis());
            secure.startHandshake();
            secure.getOutputStream().write((LAST + SMUGGLED).getBytes(US_ASCII));
            socket.release();
            answers = new String(secure.getInputStream().readAllBytes(), US_ASCII);
        }

        // Then
        assertThat(answers).contains("/last").doesNotContain("/smuggled");
    }

    /** Sends the client's first message at once, and all others together. */
    private static final class HeldSocket extends Socket {

        private final ByteArrayOutputStream held = new ByteArrayOutputStream();
        private boolean isFirst = true;
        private boolean isReleased;

        HeldSocket(int port) throws IOException {
            super("localhost", port);
        }

        void release() throws IOException {
            isReleased = true;
            super.getOutputStream().write(held.toByteArray());
        }

        @Override
        public OutputStream getOutputStream() throws IOException {
            OutputStream out = super.getOutputStream();
            return new OutputStream() {
                @Override
                public void write(int value) throws IOException {
                    write(new byte[] { (byte) value }, 0, 1);
                }

                @Override
                public void write(byte[] bytes, int offset, int length) throws IOException {
                    (isFirst || isReleased ? out : held).write(bytes, offset, length);
                    isFirst = false;
                }
            };
        }
    }
}
