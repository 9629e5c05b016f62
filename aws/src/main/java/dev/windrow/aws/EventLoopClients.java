package dev.windrow.aws;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.netty.channel.EventLoop;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.impl.ContextInternal;
import io.vertx.core.impl.VertxInternal;

/**
 * An HTTP client for each event loop. One client for all would lend any of its connections to any event loop, so that most
 * requests and answers would change threads, twice.
 */
final class EventLoopClients {

    private final VertxInternal vertx;
    private final HttpClientOptions options;
    private final PoolOptions pool;
    private final Map<EventLoop, EventLoopClient> clients = new ConcurrentHashMap<>();

    /** @param pool options of each event loop's connection pool */
    EventLoopClients(VertxInternal vertx, HttpClientOptions options, PoolOptions pool) {
        this.vertx = vertx;
        this.options = options;
        this.pool = pool;
    }

    /** The client of the event loop that runs the caller, or one that stays with its thread. */
    EventLoopClient current() {
        return clients.computeIfAbsent(vertx.getOrCreateContext().nettyEventLoop(), EventLoopClient::new);
    }

    /**
     * The client of one event loop. Its requests are made and given up on that loop alone: on another thread, giving up could
     * overtake sending.
     */
    final class EventLoopClient {

        private final EventLoop loop;
        private final ContextInternal context;
        private final HttpClient client;

        private EventLoopClient(EventLoop loop) {
            this.loop = loop;
            this.context = vertx.createEventLoopContext(loop, null, Thread.currentThread().getContextClassLoader());
            this.client = vertx.createHttpClient(options, pool);
        }

        HttpClient client() {
            return client;
        }

        /** Runs an action on the event loop, at once if the caller is there. */
        void run(Runnable action) {
            if (loop.inEventLoop() && vertx.getContext() != null) {
                action.run();
            } else {
                context.runOnContext(turn -> action.run());
            }
        }
    }
}
