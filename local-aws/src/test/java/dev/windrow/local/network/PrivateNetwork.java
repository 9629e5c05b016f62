package dev.windrow.local.network;

import java.net.URI;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.PfxOptions;

/**
 * Servers behind an HTTP proxy: it tunnels (CONNECT) and forwards (requests in absolute form) to the hosts it knows, for
 * clients that bring its user and password.
 */
public final class PrivateNetwork implements AutoCloseable {

    private static final String LOOPBACK = "127.0.0.1";
    private static final String LOGIN = "user:p%40ss";
    private static final String BASIC = "Basic " + Base64.getEncoder().encodeToString("user:p@ss".getBytes(
            java.nio.charset.StandardCharsets.UTF_8));
    private static final int LIFECYCLE_SECONDS = 120;

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setWorkerPoolSize(1)
            .setInternalBlockingPoolSize(1).setUseDaemonThread(true));
    private final HttpClient client = vertx.createHttpClient();
    private final Map<String, Integer> ports = new ConcurrentHashMap<>();
    private final List<String> passed = new CopyOnWriteArrayList<>();
    private final PrivateAuthority authority;
    private final int proxyPort;

    private PrivateNetwork(PrivateAuthority authority) {
        this.authority = authority;
        this.proxyPort = await(vertx.createHttpServer(new HttpServerOptions().setHost(LOOPBACK).setPort(0))
                .requestHandler(this::receive).listen()).actualPort();
    }

    /**
     * Starts the proxy.
     *
     * @param authority has signed the certificate of all TLS endpoints
     */
    public static PrivateNetwork start(PrivateAuthority authority) {
        return new PrivateNetwork(authority);
    }

    /**
     * Makes a server known under another name, without TLS.
     *
     * @return its address for clients behind the proxy
     */
    public URI publish(String name, URI server) {
        ports.put(name + ":80", server.getPort());
        return URI.create("http://" + name);
    }

    /**
     * Puts TLS before a server, under a name of the certificate.
     *
     * @return its address for clients behind the proxy
     */
    public URI publishTls(String name, URI server) {
        ports.put(name + ":443", terminate(server).actualPort());
        return URI.create("https://" + name);
    }

    /**
     * Puts TLS before a server on this machine.
     *
     * @return its address for clients that need no proxy
     */
    public URI terminateTls(URI server) {
        return URI.create("https://localhost:" + terminate(server).actualPort());
    }

    private NetServer terminate(URI server) {
        return await(vertx.createNetServer(new NetServerOptions().setHost(LOOPBACK).setPort(0).setSsl(true)
                .setKeyCertOptions(new PfxOptions().setPath(authority.keyStore().toString())
                        .setPassword(PrivateAuthority.PASSWORD).setAlias(PrivateAuthority.SERVER)))
                .connectHandler(socket -> pipe(socket, server.getPort())).listen());
    }

    private void pipe(NetSocket socket, int port) {
        socket.pause();
        vertx.createNetClient().connect(port, LOOPBACK).onFailure(failure -> socket.close())
                .onSuccess(target -> join(socket, target));
    }

    private static void join(NetSocket one, NetSocket other) {
        one.pipeTo(other).onComplete(ended -> other.close());
        other.pipeTo(one).onComplete(ended -> one.close());
    }

    /** The proxy's URL, without user and password. */
    public URI proxy() {
        return URI.create("http://" + LOOPBACK + ":" + proxyPort);
    }

    /** The proxy's URL for clients that it lets through. */
    public URI proxyWithLogin() {
        return URI.create("http://" + LOGIN + "@" + LOOPBACK + ":" + proxyPort);
    }

    /** What went through: {@code CONNECT host:port} for tunnels, {@code POST http://host/} for what was forwarded. */
    public List<String> passed() {
        return List.copyOf(passed);
    }

    private void receive(HttpServerRequest request) {
        HttpServerResponse response = request.response();
        if (!BASIC.equals(request.getHeader("proxy-authorization"))) {
            response.setStatusCode(407).putHeader("proxy-authenticate", "Basic realm=\"network\"").end();
            return;
        }
        boolean tunnel = request.method().equals(HttpMethod.CONNECT);
        String host = tunnel ? request.uri() : URI.create(request.uri()).getHost() + ":80";
        Integer port = ports.get(host);
        if (port == null) {
            response.setStatusCode(502).end("no such host");
            return;
        }
        passed.add(request.method() + " " + request.uri());
        if (tunnel) {
            request.pause();
            vertx.createNetClient().connect(port, LOOPBACK).onFailure(failure -> response.setStatusCode(502).end())
                    .onSuccess(target -> request.toNetSocket().onSuccess(socket -> join(socket, target)));
        } else {
            forward(request, port);
        }
    }

    private void forward(HttpServerRequest request, int port) {
        request.pause();
        client.request(request.method(), port, LOOPBACK, "/").compose(target -> {
            request.headers().forEach(header -> copy(header, target));
            return target.send(request);
        }).onFailure(failure -> request.response().setStatusCode(502).end()).onSuccess(answer -> {
            HttpServerResponse response = request.response().setStatusCode(answer.statusCode())
                    .putHeader("content-type", answer.getHeader("content-type"));
            answer.body().onSuccess(response::end);
        });
    }

    private static void copy(Map.Entry<String, String> header, HttpClientRequest target) {
        if (!header.getKey().equalsIgnoreCase("proxy-authorization")) {
            target.putHeader(header.getKey(), header.getValue());
        }
    }

    private static <T> T await(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().orTimeout(LIFECYCLE_SECONDS, TimeUnit.SECONDS).join();
    }

    @Override
    public void close() {
        await(vertx.close());
    }
}
