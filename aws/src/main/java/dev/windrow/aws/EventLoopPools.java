package dev.windrow.aws;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.impl.ContextInternal;
import io.vertx.core.impl.VertxInternal;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;

/**
 * A connection pool for each event loop. A shared pool would lend any connection to any event loop, so that most requests
 * and responses would switch threads, twice. Thread-safe.
 */
final class EventLoopPools {

    private final VertxInternal vertx;
    private final NetClient client;
    private final SocketAddress address;
    private final ConnectionLimits limits;
    private final LongSupplier nanoTime;
    private final Map<EventLoop, EventLoopPool> pools = new ConcurrentHashMap<>();

    /**
     * @param options options of connections, including TLS and proxy
     * @param limits the limits of each event loop's pool
     */
    EventLoopPools(VertxInternal vertx, NetClientOptions options, SocketAddress address,
            ConnectionLimits limits, LongSupplier nanoTime) {
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
