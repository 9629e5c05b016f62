package dev.windrow.local.fault;

import java.net.URI;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;

/**
 * An HTTP proxy in front of one DynamoDB or SQS endpoint that injects the faults of a {@link FaultPlan}. It listens on a
 * free port of the loopback interface and runs on one event loop, so that requests are decided in one order.
 */
public final class FaultProxy implements AutoCloseable {

    private static final String LOOPBACK = "127.0.0.1";

    /** Above DynamoDB's 16 MB for a batch, which is the largest body of either service. */
    private static final int BODY_BYTES = 17 * 1_024 * 1_024;
    private static final int TARGET_CONNECTIONS = 1_024;
    private static final int TARGET_QUEUE = 16_384;
    private static final int BACKLOG = 4_096;

    /** Below the idle time after which the embedded servers close: a request must not meet a connection that closes. */
    private static final int KEEP_ALIVE_SECONDS = 10;
    private static final int LIFECYCLE_SECONDS = 120;

    private final Vertx vertx;
    private final HttpClient client;
    private final URI target;
    private final ProxyAudit audit = new ProxyAudit();
    private final AtomicReference<@Nullable RuntimeException> planFailure = new AtomicReference<>();
    private volatile FaultPlan plan;
    private volatile int port;
    private long requests;

    private FaultProxy(URI target, FaultPlan plan) {
        this.target = target;
        this.plan = plan;
        this.vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setWorkerPoolSize(1)
                .setInternalBlockingPoolSize(1).setUseDaemonThread(true).setFileSystemOptions(
                        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false)));
        this.client = vertx.createHttpClient(new HttpClientOptions().setDefaultHost(target.getHost())
                .setDefaultPort(target.getPort()).setMaxPoolSize(TARGET_CONNECTIONS)
                .setMaxWaitQueueSize(TARGET_QUEUE).setKeepAliveTimeout(KEEP_ALIVE_SECONDS).setTcpNoDelay(true));
    }

    /**
     * Starts a proxy.
     *
     * @param target scheme http, host and port of the endpoint behind it
     * @throws java.util.concurrent.CompletionException if no port could be opened
     */
    public static FaultProxy start(URI target, FaultPlan plan) {
        if (!"http".equals(target.getScheme()) || target.getHost() == null || target.getPort() < 0) {
            throw new IllegalArgumentException("target: expected http://host:port, found " + target);
        }
        FaultProxy proxy = new FaultProxy(target, plan);
        HttpServer server = proxy.vertx.createHttpServer(new HttpServerOptions().setHost(LOOPBACK).setPort(0)
                .setAcceptBacklog(BACKLOG).setTcpNoDelay(true).setHttp2ClearTextEnabled(false)
                .setHandle100ContinueAutomatically(true)).requestHandler(proxy::receive);
        proxy.port = await(server.listen()).actualPort();
        return proxy;
    }

    public URI endpoint() {
        return URI.create("http://" + LOOPBACK + ":" + port);
    }

    public ProxyAudit audit() {
        return audit;
    }

    /** From now on, requests follow another plan; those in flight keep their fault. */
    public void use(FaultPlan newPlan) {
        plan = newPlan;
    }

    /**
     * Cuts all connections and frees the port.
     *
     * @throws IllegalStateException if the plan failed for a request, which was cut then: such a test proves nothing
     */
    @Override
    public void close() {
        // Of requests that arrive while it closes, none fails by the plan.
        RuntimeException failure = planFailure.get();
        await(vertx.close());
        if (failure != null) {
            throw new IllegalStateException("the fault plan failed", failure);
        }
    }

    private void receive(HttpServerRequest incoming) {
        Buffer body = Buffer.buffer();
        incoming.handler(chunk -> {
            body.appendBuffer(chunk);
            if (body.length() > BODY_BYTES) {
                incoming.connection().close();
            }
        });
        incoming.endHandler(ignored -> decide(incoming, body.getBytes()));
    }

    private void decide(HttpServerRequest incoming, byte[] body) {
        ProxiedRequest request = new ProxiedRequest(requests++, incoming.getHeader("X-Amz-Target"),
                incoming.getHeader("Authorization"), body);
        Exchange exchange = new Exchange(vertx, client, target, audit, incoming, request);
        try {
            exchange.play(plan.decide(request));
        } catch (RuntimeException e) {
            planFailure.compareAndSet(null, e);
            exchange.play(new Fault.CutBefore());
        }
    }

    private static <T> T await(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().orTimeout(LIFECYCLE_SECONDS, TimeUnit.SECONDS).join();
    }
}
