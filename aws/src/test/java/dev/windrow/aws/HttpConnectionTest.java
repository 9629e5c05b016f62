package dev.windrow.aws;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.testing.FreePort;
import dev.windrow.testing.Patience;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelException;
import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.impl.ContextInternal;
import io.vertx.core.impl.VertxInternal;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;

/** What comes over a socket, good and bad, and what becomes of the connection. */
class HttpConnectionTest {

    private static final Duration LONG = Duration.ofMinutes(5);
    private static final String OK = "HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\n";

    @AutoClose
    private final Vertx vertx = Vertx.vertx();
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger requests = new AtomicInteger();

    /** A response with how often its connection is used for two requests. */
    static List<Arguments> responses() {
        return List.of(arguments(OK + "body", 1), arguments("HTTP/1.1 100 Continue\r\n\r\n" + OK + "body", 1),
                arguments(OK.replace("content-length: 4", "transfer-encoding: chunked") + "2\r\nbo\r\n2\r\ndy\r\n0\r\n\r\n",
                        1),
                arguments("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 4\r\n\r\nbody", 2),
                arguments("HTTP/1.0 200 OK\r\ncontent-length: 4\r\n\r\nbody", 2));
    }

    @ParameterizedTest
    @MethodSource("responses")
    void aConnectionIsUsedAgainUnlessTheServerClosesIt(String response, int expected) {
        for (Consumer<NetSocket> answer : List.<Consumer<NetSocket>> of(socket -> socket.write(response),
                socket -> write(socket, response, 0))) {
            connections.set(0);
            EventLoopPools.PoolAccess pool = pool(serve(answer), 1);

            assertThat(body(pool)).isEqualTo("body");
            assertThat(body(pool)).isEqualTo("body");

            assertThat(connections).hasValue(expected);
        }
    }

    /** Byte by byte, each when the one before has been sent. */
    private static void write(NetSocket socket, String text, int from) {
        if (from < text.length()) {
            socket.write(text.substring(from, from + 1)).onSuccess(sent -> write(socket, text, from + 1));
        }
    }

    @Test
    void anotherProtocolIsTheEndOfTheConnection() {
        EventLoopPools.PoolAccess pool = pool(serve(socket -> socket
                .write("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: chat\r\n\r\nhello")), 1);

        assertThat(get(pool).handle((response, failure) -> failure == null ? response.status() : 0).join()).isIn(0, 101);

        await().atMost(Patience.LIMIT).until(() -> open.get() == 0);
    }

    @Test
    void aResponseMayEndWithItsConnection() {
        EventLoopPools.PoolAccess pool = pool(serve(socket -> socket.end(Buffer.buffer("HTTP/1.1 200 OK\r\n\r\nbody"))), 1);

        assertThat(body(pool)).isEqualTo("body");
        assertThat(body(pool)).isEqualTo("body");
        assertThat(connections).hasValue(2);
    }

    @ParameterizedTest
    @ValueSource(strings = { OK + "evil", "HTTP/1.1 200 OK\r\ncontent-le", "HTT" })
    void aSecondResponseIsNotTakenForThatOfTheNextRequest(String second) {
        EventLoopPools.PoolAccess pool = pool(serve(socket -> socket
                .write(connections.get() == 1 ? OK + "body" + second : OK + "good")), 1);

        assertThatThrownBy(() -> body(pool)).hasRootCauseInstanceOf(IOException.class)
                .hasMessageContaining("more than one response");

        assertThat(body(pool)).isEqualTo("good");
    }

    @ParameterizedTest
    @ValueSource(strings = { "HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\n\r\n", "HTTP/1.1 4" })
    void whatNobodyAskedForEndsTheConnection(String unrequested) {
        List<NetSocket> sockets = new ArrayList<>();
        EventLoopPools.PoolAccess pool = pool(serve(socket -> {
            sockets.add(socket);
            socket.write(OK + "body");
        }), 1);
        assertThat(body(pool)).isEqualTo("body");

        sockets.get(0).write(unrequested);

        await().atMost(Patience.LIMIT).until(() -> open.get() == 0);
        assertThat(body(pool)).isEqualTo("body");
    }

    @ParameterizedTest
    @ValueSource(strings = { "220 smtp.example.org ESMTP\r\n\r\n",
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n" })
    void whatIsNotHttpIsNoResponse(String response) {
        EventLoopPools.PoolAccess pool = pool(serve(socket -> socket.write(requests.get() == 1 ? response : OK + "body")), 1);

        assertThatThrownBy(() -> body(pool)).hasRootCauseInstanceOf(Exception.class).cause()
                .isInstanceOf(IOException.class).hasMessageContaining("not HTTP");

        assertThat(body(pool)).isEqualTo("body");
        assertThat(connections).hasValue(2);
    }

    @ParameterizedTest
    @ValueSource(strings = { "", "HTTP/1.1 2", "HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nbod" })
    void aConnectionThatBreaksFailsItsExchangeAlone(String response) {
        EventLoopPools.PoolAccess pool = pool(serve(socket -> {
            if (requests.get() == 1) {
                socket.end(Buffer.buffer(response));
            } else {
                socket.write(OK + "body");
            }
        }), 1);
        CompletableFuture<HttpResponse> first = get(pool);
        CompletableFuture<HttpResponse> second = get(pool);

        assertThatThrownBy(first::join).hasCauseInstanceOf(IOException.class).hasMessageContaining("closed");

        assertThat(second.join().body()).isEqualTo("body".getBytes(UTF_8));
    }

    @Test
    void eachFailedConnectionFailsOneExchange() {
        int port = FreePort.find();
        EventLoopPools.PoolAccess pool = pool(port, 2);

        List<CompletableFuture<HttpResponse>> failed = List.of(get(pool), get(pool), get(pool), get(pool));
        failed.forEach(exchange -> assertThatThrownBy(exchange::join).hasCauseInstanceOf(IOException.class));

        serve(port, socket -> socket.write(OK + "body"));
        assertThat(body(pool)).isEqualTo("body");
    }

    @Test
    void aConnectionAttemptThatHangsHoldsUpNobody() {
        int port = serve(socket -> socket.write(OK + "body"));
        NetClient client = vertx.createNetClient();
        Promise<NetSocket> hangs = Promise.promise();
        Queue<Future<NetSocket>> attempts = new ArrayDeque<>(List.of(hangs.future()));
        ContextInternal context = ((VertxInternal) vertx).createEventLoopContext();
        ConnectionPool pool = new ConnectionPool(context.nettyEventLoop(), () -> attempts.isEmpty()
                ? client.connect(port, "127.0.0.1")
                : attempts.remove(), new ConnectionLimits(3, 3, 4, LONG), System::nanoTime);
        Outcome first = new Outcome();
        Outcome second = new Outcome();
        context.runOnContext(turn -> {
            pool.borrow(first);
            pool.forget(first);
            pool.borrow(second);
        });
        assertThat(second.response.join().body()).isEqualTo("body".getBytes(UTF_8));
        Outcome third = new Outcome();
        Outcome fourth = new Outcome();

        // Two wait, of whom one has an attempt of its own; the one that fails late is nobody's.
        context.runOnContext(turn -> {
            pool.borrow(third);
            pool.borrow(fourth);
            hangs.fail(new IOException("too late"));
        });

        assertThat(third.response.join().body()).isEqualTo("body".getBytes(UTF_8));
        assertThat(fourth.response.join().body()).isEqualTo("body".getBytes(UTF_8));
        assertThat(first.response).isNotDone();
    }

    @Test
    void fewConnectionsAreMadeAtATime() {
        int port = serve(socket -> socket.write(OK + "body"));
        NetClient client = vertx.createNetClient();
        List<Promise<NetSocket>> attempts = new CopyOnWriteArrayList<>();
        ContextInternal context = ((VertxInternal) vertx).createEventLoopContext();
        ConnectionPool pool = new ConnectionPool(context.nettyEventLoop(), () -> {
            attempts.add(Promise.promise());
            return attempts.get(attempts.size() - 1).future();
        }, new ConnectionLimits(8, 2, 4, LONG), System::nanoTime);
        List<Outcome> admitted = Stream.generate(Outcome::new).limit(6).toList();
        Outcome tooMany = new Outcome();
        context.runOnContext(turn -> {
            admitted.forEach(pool::borrow);
            pool.borrow(tooMany);
        });
        assertThatThrownBy(tooMany.response::join).hasMessageContaining("too many requests wait for a connection");
        assertThat(attempts).hasSize(2);

        context.runOnContext(turn -> client.connect(port, "127.0.0.1").onComplete(attempts.get(0)));

        admitted.forEach(exchange -> assertThat(exchange.response.join().body()).isEqualTo("body".getBytes(UTF_8)));
        assertThat(connections).hasValue(1);
        assertThat(attempts).as("one more was begun for those that still waited").hasSize(3);
    }

    @Test
    void aSocketThatCannotBeOpenedIsAFailureOfTheConnection() {
        EventLoop loop = ((VertxInternal) vertx).createEventLoopContext().nettyEventLoop();
        ConnectionPool pool = new ConnectionPool(loop, () -> Future.failedFuture(new ChannelException("no descriptors")),
                new ConnectionLimits(1, 1, 1, LONG), System::nanoTime);
        Outcome exchange = new Outcome();

        loop.submit(() -> pool.borrow(exchange)).syncUninterruptibly();

        assertThatThrownBy(exchange.response::join).hasCauseInstanceOf(IOException.class)
                .hasMessageContaining("no descriptors");
    }

    /** One for each attempt would keep the last waiting for many attempts that hang, one after the other. */
    @Test
    void whereNoConnectionCanBeMadeNobodyWaitsForTheFailuresOfOthers() {
        List<Promise<NetSocket>> attempts = new CopyOnWriteArrayList<>();
        EventLoop loop = ((VertxInternal) vertx).createEventLoopContext().nettyEventLoop();
        ConnectionPool pool = new ConnectionPool(loop, () -> {
            attempts.add(Promise.promise());
            return attempts.get(attempts.size() - 1).future();
        }, new ConnectionLimits(10, 2, 10, LONG), System::nanoTime);
        List<Outcome> exchanges = Stream.generate(Outcome::new).limit(7).toList();
        loop.submit(() -> exchanges.forEach(pool::borrow)).syncUninterruptibly();
        assertThat(attempts).hasSize(2);

        loop.submit(() -> attempts.get(0).fail("unreachable")).syncUninterruptibly();

        assertThat(exchanges).map(exchange -> exchange.response.isCompletedExceptionally()).containsExactly(true, true, true,
                true, true, true, false);
        loop.submit(() -> attempts.get(1).fail("unreachable")).syncUninterruptibly();
        assertThat(exchanges.get(6).response).isCompletedExceptionally();
        assertThat(attempts).hasSize(2);
    }

    @Test
    void aRequestThatCannotBeWrittenFailsAlone() {
        EventLoopPools.PoolAccess pool = pool(serve(socket -> socket.write(OK + "body")), 1);
        Outcome broken = new Outcome() {
            @Override
            public void connected(HttpConnection connection) {
                throw new IllegalStateException("no signature");
            }
        };
        CompletableFuture<HttpResponse> before = get(pool);
        pool.run(() -> pool.pool().borrow(broken));
        CompletableFuture<HttpResponse> after = get(pool);

        assertThatThrownBy(broken.response::join).hasCauseInstanceOf(IOException.class).hasMessageContaining("not be written");

        assertThat(before.join().body()).isEqualTo("body".getBytes(UTF_8));
        assertThat(after.join().body()).isEqualTo("body".getBytes(UTF_8));
    }

    @Test
    void anAbandonedConnectionIsUsedAgainOnceItsResponseHasCome() {
        List<NetSocket> sockets = new ArrayList<>();
        EventLoopPools.PoolAccess pool = pool(serve(socket -> {
            sockets.add(socket);
            // Only when the connection has been abandoned.
            if (requests.get() > 1) {
                socket.write(OK + "body");
            }
        }), 1);
        Outcome unwanted = new Abandoning();
        pool.run(() -> pool.pool().borrow(unwanted));
        await().atMost(Patience.LIMIT).until(() -> requests.get() == 1);
        CompletableFuture<HttpResponse> next = get(pool);

        sockets.get(0).write(OK + "late");

        assertThat(next.join().body()).isEqualTo("body".getBytes(UTF_8));
        assertThat(unwanted.response).isNotDone();
    }

    @Test
    void anAbandonedConnectionWhoseResponseDoesNotComeIsClosed() {
        EventLoopPools.PoolAccess pool = pool(serve(socket -> {
            if (requests.get() > 1) {
                socket.write(OK + "body");
            }
        }), 1);
        pool.run(() -> pool.pool().borrow(new Abandoning()));

        assertThat(body(pool)).isEqualTo("body");

        assertThat(connections).hasValue(2);
    }

    @Test
    void connectionsThatAreNotUsedAreClosed() {
        EventLoopPools.PoolAccess pool = pool(serve(socket -> socket.write(OK + "body")), 2, Duration.ofMillis(50));
        List<CompletableFuture<HttpResponse>> both = List.of(get(pool), get(pool));

        both.forEach(CompletableFuture::join);

        await().atMost(Patience.LIMIT).until(() -> open.get() == 0);
        assertThat(body(pool)).isEqualTo("body");
    }

    @Test
    void exchangesThatWaitEndWhenTheClientIsClosed() {
        EventLoopPools.PoolAccess pool = pool(serve(socket -> {
        }), 1);
        List<CompletableFuture<HttpResponse>> all = List.of(get(pool), get(pool), get(pool));
        await().atMost(Patience.LIMIT).until(() -> requests.get() == 1);

        vertx.close();

        all.forEach(exchange -> assertThatThrownBy(exchange::join).hasCauseInstanceOf(IOException.class));
    }

    private static String body(EventLoopPools.PoolAccess pool) {
        return new String(get(pool).join().body(), UTF_8);
    }

    private static CompletableFuture<HttpResponse> get(EventLoopPools.PoolAccess pool) {
        Outcome outcome = new Outcome();
        pool.run(() -> pool.pool().borrow(outcome));
        return outcome.response;
    }

    /** A request and what becomes of it. */
    private static class Outcome implements HttpExchange {

        final CompletableFuture<HttpResponse> response = new CompletableFuture<>();

        @Override
        public void connected(HttpConnection connection) {
            connection.send(ByteBufUtil.writeAscii(connection.allocator(), "GET / HTTP/1.1\r\nhost: test\r\n\r\n"));
        }

        @Override
        public void answered(HttpResponse whole) {
            response.complete(whole);
        }

        @Override
        public void failed(Throwable failure) {
            response.completeExceptionally(failure);
        }
    }

    /** One whose client goes away at once. */
    private static final class Abandoning extends Outcome {
        @Override
        public void connected(HttpConnection connection) {
            super.connected(connection);
            connection.abandon();
        }
    }

    private EventLoopPools.PoolAccess pool(int port, int size) {
        return pool(port, size, LONG);
    }

    private EventLoopPools.PoolAccess pool(int port, int size, Duration keepAlive) {
        return new EventLoopPools((VertxInternal) vertx, new NetClientOptions(),
                SocketAddress.inetSocketAddress(port, "127.0.0.1"), new ConnectionLimits(size, size, 4, keepAlive),
                System::nanoTime).current();
    }

    private int serve(Consumer<NetSocket> onRequest) {
        return serve(0, onRequest);
    }

    /** A server whose handler is called for each request; all are so small that they come in one piece. */
    private int serve(int port, Consumer<NetSocket> onRequest) {
        return vertx.createNetServer(new NetServerOptions().setHost("127.0.0.1").setPort(port)).connectHandler(socket -> {
            connections.incrementAndGet();
            open.incrementAndGet();
            socket.closeHandler(closed -> open.decrementAndGet());
            socket.handler(request -> {
                requests.incrementAndGet();
                onRequest.accept(socket);
            });
        }).listen().toCompletionStage().toCompletableFuture().join().actualPort();
    }
}
