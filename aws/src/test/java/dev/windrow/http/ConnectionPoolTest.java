package dev.windrow.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.windrow.http.ConnectionPool.Limits;
import dev.windrow.http.HttpConnection.HttpExchange;
import dev.windrow.http.HttpConnection.HttpResponse;
import io.netty.channel.DefaultEventLoop;
import io.vertx.core.Promise;
import io.vertx.core.net.NetSocket;

/** Exchanges that wait where no connection can be made. */
class ConnectionPoolTest {

    private static final IOException UNREACHABLE = new IOException("unreachable");

    private final DefaultEventLoop loop = new DefaultEventLoop();
    private final Deque<Promise<NetSocket>> attempts = new ArrayDeque<>();
    private final List<Exchange> failed = new ArrayList<>();
    private final ConnectionPool pool = new ConnectionPool(loop, () -> {
        attempts.add(Promise.promise());
        return attempts.getLast().future();
    }, new Limits(10, 2, 10, Duration.ofSeconds(15)), System::nanoTime);

    private final class Exchange implements HttpExchange {

        @Override
        public void connected(HttpConnection connection) {
        }

        @Override
        public void answered(HttpResponse response) {
        }

        @Override
        public void failed(Throwable failure) {
            assertThat(failure).isSameAs(UNREACHABLE);
            failed.add(this);
        }
    }

    @AfterEach
    void stop() {
        loop.shutdownGracefully(0, 0, TimeUnit.SECONDS).syncUninterruptibly();
    }

    /** One for each attempt would keep the last waiting for many attempts that hang, one after the other. */
    @Test
    void whereNoConnectionCanBeMadeNobodyWaitsForTheFailuresOfOthers() {
        List<Exchange> exchanges = Stream.generate(Exchange::new).limit(7).toList();
        loop.submit(() -> exchanges.forEach(pool::borrow)).syncUninterruptibly();
        assertThat(attempts).hasSize(2);

        loop.submit(() -> attempts.remove().fail(UNREACHABLE)).syncUninterruptibly();

        assertThat(failed).containsExactlyElementsOf(exchanges.subList(0, 6));
        loop.submit(() -> attempts.remove().fail(UNREACHABLE)).syncUninterruptibly();
        assertThat(failed).containsExactlyElementsOf(exchanges);
        assertThat(loop.submit(attempts::size).syncUninterruptibly().getNow()).isZero();
    }
}
