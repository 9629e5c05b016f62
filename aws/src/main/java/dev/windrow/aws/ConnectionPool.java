package dev.windrow.aws;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import dev.windrow.aws.HttpConnection.HttpExchange;
import io.netty.channel.ChannelException;
import io.netty.channel.EventLoop;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.impl.ContextInternal;
import io.vertx.core.impl.VertxInternal;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.impl.NetSocketInternal;

/**
 * The connections of one event loop to one endpoint. All methods are called on that loop. A failed connection attempt fails the
 * longest-waiting exchange. If there is no connection at all, it fails all waiting exchanges that have no attempt of their own:
 * each would only wait for another attempt to fail.
 */
final class ConnectionPool {

    private final EventLoop loop;
    private final Supplier<Future<NetSocket>> connect;
    private final Limits limits;
    private final LongSupplier nanoTime;
    /** Last in, first out, so that unneeded connections stay idle and are closed. */
    private final Deque<HttpConnection> idle = new ArrayDeque<>();
    private final Set<HttpExchange> waiting = new LinkedHashSet<>();
    private int connecting;
    private int connections;
    private boolean sweeping;

    /**
     * @param connections maximum number of connections, including pending ones
     * @param connecting maximum number of pending connections. A cold process that starts hundreds of TLS handshakes at once
     *        has none ready before all are; a few are ready soon, and serve many exchanges.
     * @param waiting maximum number of exchanges that wait for a connection, not counting those that have a pending one
     * @param keepAlive how long a connection may be idle
     */
    record Limits(int connections, int connecting, int waiting, Duration keepAlive) {
    }

    ConnectionPool(EventLoop loop, Supplier<Future<NetSocket>> connect, Limits limits, LongSupplier nanoTime) {
        this.loop = loop;
        this.connect = connect;
        this.limits = limits;
        this.nanoTime = nanoTime;
    }

    /** Gives an exchange a connection, now or later, or fails it. */
    void borrow(HttpExchange exchange) {
        HttpConnection connection = idle.pollLast();
        if (connection != null) {
            connection.lend(exchange);
        } else if (!mayConnect() && waiting.size() - connecting >= limits.waiting()) {
            exchange.failed(new IOException("too many requests wait for a connection"));
        } else {
            waiting.add(exchange);
            if (mayConnect()) {
                // Even if another attempt is pending for no exchange: that one may hang.
                connect();
            }
        }
    }

    void forget(HttpExchange exchange) {
        waiting.remove(exchange);
    }

    private boolean mayConnect() {
        return connections < limits.connections() && connecting < limits.connecting();
    }

    private void connect() {
        connections++;
        connecting++;
        connect.get().onComplete(this::connected);
    }

    /** Starts connecting for waiting exchanges that have no pending connection, within the limits. */
    private void connectWaiting() {
        while (mayConnect() && connecting < waiting.size()) {
            connect();
        }
    }

    private void connected(AsyncResult<NetSocket> made) {
        connecting--;
        if (made.succeeded()) {
            release(HttpConnection.over(((NetSocketInternal) made.result()).channelHandlerContext(), this));
            connectWaiting();
        } else {
            connections--;
            // Only exchanges without a pending connection fail.
            int max = connections > connecting ? 1 : Integer.MAX_VALUE;
            List<HttpExchange> failed = waiting.stream()
                    .limit(Math.min(max, Math.max(0, waiting.size() - connecting))).toList();
            failed.forEach(waiting::remove);
            // Not recursively: an attempt may fail immediately, and so may the next one.
            loop.execute(this::connectWaiting);
            // Netty reports a lack of file descriptors as if it were a fault of the program.
            Throwable cause = made.cause() instanceof ChannelException
                    ? new IOException("no connection: " + made.cause(), made.cause())
                    : made.cause();
            failed.forEach(exchange -> exchange.failed(cause));
        }
    }

    /** Takes a connection back. */
    void release(HttpConnection connection) {
        Iterator<HttpExchange> all = waiting.iterator();
        if (all.hasNext()) {
            HttpExchange first = all.next();
            all.remove();
            connection.lend(first);
        } else {
            connection.idleSince = nanoTime.getAsLong();
            idle.addLast(connection);
            sweepLater(limits.keepAlive().toNanos());
        }
    }

    /** Removes a closed connection and lets another one take its place. */
    void closed(HttpConnection connection) {
        connections--;
        idle.remove(connection);
        connectWaiting();
    }

    private void sweepLater(long nanos) {
        if (!sweeping) {
            sweeping = true;
            ScheduledFuture<?> unused = loop.schedule(this::sweep, nanos, TimeUnit.NANOSECONDS);
        }
    }

    private void sweep() {
        sweeping = false;
        long now = nanoTime.getAsLong();
        for (HttpConnection oldest = idle.peekFirst(); oldest != null; oldest = idle.peekFirst()) {
            long left = limits.keepAlive().toNanos() - (now - oldest.idleSince);
            if (left > 0) {
                sweepLater(left);
                return;
            }
            oldest.close();
        }
    }

    /**
     * A connection pool for each event loop. A shared pool would lend any connection to any event loop, so that most requests
     * and responses would switch threads, twice. Thread-safe.
     */
    static final class EventLoopPools {

        private final VertxInternal vertx;
        private final NetClient client;
        private final SocketAddress address;
        private final ConnectionPool.Limits limits;
        private final LongSupplier nanoTime;
        private final Map<EventLoop, EventLoopPool> pools = new ConcurrentHashMap<>();

        /**
         * @param options options of connections, including TLS and proxy
         * @param limits the limits of each event loop's pool
         */
        EventLoopPools(VertxInternal vertx, NetClientOptions options, SocketAddress address,
                ConnectionPool.Limits limits, LongSupplier nanoTime) {
            this.vertx = vertx;
            this.client = vertx.createNetClient(options);
            this.address = address;
            this.limits = limits;
            this.nanoTime = nanoTime;
        }

        /** Returns the pool of the caller's event loop, or of a loop assigned to the caller's thread. */
        PoolAccess current() {
            ContextInternal caller = vertx.getContext();
            EventLoopPool pool = pools.computeIfAbsent(vertx.getOrCreateContext().nettyEventLoop(), EventLoopPool::new);
            return new PoolAccess(pool.connections, caller != null && caller.isEventLoopContext() ? caller : pool.context);
        }

        private final class EventLoopPool {

            private final ContextInternal context;
            private final ConnectionPool connections;

            private EventLoopPool(EventLoop loop) {
                this.context = vertx.createEventLoopContext(loop, null, Thread.currentThread().getContextClassLoader());
                this.connections = new ConnectionPool(loop, this::connect, limits, nanoTime);
            }

            private Future<NetSocket> connect() {
                ContextInternal previous = context.beginDispatch();
                try {
                    return client.connect(address);
                } catch (RuntimeException e) {
                    // Vert.x is shutting down.
                    return Future.failedFuture(new IOException("the client is closed", e));
                } finally {
                    context.endDispatch(previous);
                }
            }
        }

        /**
         * An event loop's pool, and the context of one of its users.
         *
         * @param pool to be used only on its event loop
         */
        record PoolAccess(ConnectionPool pool, ContextInternal context) {

            /** Runs an action on the event loop, immediately if the caller is on it. */
            void run(Runnable action) {
                EventLoop loop = context.nettyEventLoop();
                if (loop.inEventLoop()) {
                    action.run();
                } else {
                    loop.execute(action);
                }
            }
        }
    }
}
