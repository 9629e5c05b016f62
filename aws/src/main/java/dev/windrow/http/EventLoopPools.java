package dev.windrow.http;

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
 * A connection pool for each event loop. One pool for all would lend any of its connections to any event loop, so that most
 * requests and responses would change threads, twice. Thread-safe.
 */
public final class EventLoopPools {

    private final VertxInternal vertx;
    private final NetClient client;
    private final SocketAddress address;
    private final ConnectionPool.Limits limits;
    private final LongSupplier nanoTime;
    private final Map<EventLoop, EventLoopPool> pools = new ConcurrentHashMap<>();

    /**
     * @param options of connections, TLS and proxy included
     * @param limits of each event loop's pool
     * @param nanoTime a monotonic clock
     */
    public EventLoopPools(VertxInternal vertx, NetClientOptions options, SocketAddress address,
            ConnectionPool.Limits limits, LongSupplier nanoTime) {
        this.vertx = vertx;
        this.client = vertx.createNetClient(options);
        this.address = address;
        this.limits = limits;
        this.nanoTime = nanoTime;
    }

    /** The pool of the caller's event loop, or of one that stays with its thread. */
    public PoolAccess current() {
        ContextInternal caller = vertx.getContext();
        EventLoopPool pool = pools.computeIfAbsent(vertx.getOrCreateContext().nettyEventLoop(), EventLoopPool::new);
        return new PoolAccess(pool, caller != null && caller.isEventLoopContext() ? caller : pool.context);
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
                // Vert.x is being stopped.
                return Future.failedFuture(new IOException("the client is closed", e));
            } finally {
                context.endDispatch(previous);
            }
        }
    }

    /** An event loop's pool, and the context of one of its users. */
    public static final class PoolAccess {

        private final EventLoopPool pool;
        private final ContextInternal context;

        private PoolAccess(EventLoopPool pool, ContextInternal context) {
            this.pool = pool;
            this.context = context;
        }

        /** The pool, for use on its event loop. */
        public ConnectionPool pool() {
            return pool.connections;
        }

        /** Runs an action on the event loop, at once if the caller is there. */
        public void run(Runnable action) {
            EventLoop loop = context.nettyEventLoop();
            if (loop.inEventLoop()) {
                action.run();
            } else {
                loop.execute(action);
            }
        }

        /** Runs an action in the user's context, on its event loop. */
        public void dispatch(Runnable action) {
            context.dispatch(action);
        }
    }
}
