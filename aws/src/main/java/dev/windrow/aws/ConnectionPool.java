package dev.windrow.aws;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import io.netty.channel.ChannelException;
import io.netty.channel.EventLoop;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.impl.NetSocketInternal;

/**
 * The connections of one event loop to one endpoint. All methods are called on that loop. A failed connection attempt fails the
 * longest-waiting exchange. If there is no connection at all, it fails all waiting exchanges that have no attempt of their own:
 * each would only wait for another attempt to fail.
 */
final class ConnectionPool {

    private final EventLoop loop;
    private final Supplier<Future<NetSocket>> connect;
    private final ConnectionLimits limits;
    private final LongSupplier nanoTime;
    /** Last in, first out, so that unneeded connections stay idle and are closed. */
    private final Deque<HttpConnection> idle = new ArrayDeque<>();
    private final Set<HttpExchange> waiting = new LinkedHashSet<>();
    private int connecting;
    private int connections;
    private boolean sweeping;

    ConnectionPool(EventLoop loop, Supplier<Future<NetSocket>> connect, ConnectionLimits limits, LongSupplier nanoTime) {
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

}
