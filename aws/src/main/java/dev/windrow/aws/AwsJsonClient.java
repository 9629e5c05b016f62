package dev.windrow.aws;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;

import dev.windrow.aws.AwsJsonClient.Route.RequestHead;
import dev.windrow.aws.Proxies.Proxy;
import dev.windrow.base.Durations;
import dev.windrow.base.Reason;
import dev.windrow.base.SharedTimer;
import io.netty.buffer.ByteBuf;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Vertx;
import io.vertx.core.impl.VertxInternal;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.ProxyOptions;
import io.vertx.core.net.ProxyType;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.TrustOptions;
import software.amazon.awssdk.core.exception.SdkClientException;

/**
 * A client of AWS's JSON protocol: each request is a signed POST. The SDK takes several times the CPU time for the same. Each
 * request is tried once, and once more if the first attempt showed that the clocks differ. A request that times out closes its
 * connection. Thread-safe.
 */
public final class AwsJsonClient {

    /** Shorter than the services' own idle timeouts, which are 20 s or more. */
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(15);
    private static final JsonFactory JSON = new JsonFactory();
    /** Initial size of a request's buffer, enough for a usual read; the buffer grows. */
    private static final int USUAL_BYTES = 1_024;
    private static final int MAX_CONNECTING = 16;
    private static final int MAX_WAITING = 4;
    /** Initial space for the headers of a signature; the buffer grows for a session token. */
    private static final int SIGNATURE_BYTES = 512;

    private final EventLoopPools pools;
    private final SharedTimer timer;
    private final SignerCache signers;
    private final Route route;
    private final ServerClock clock;
    private final Map<String, RequestHead> heads = new ConcurrentHashMap<>();

    /**
     * @param connections maximum number of requests in flight from one event loop; a bounded number of others waits
     * @param signers signers of requests to the endpoint's path
     */
    public AwsJsonClient(Vertx vertx, URI endpoint, NetworkSettings network, int connections, SignerCache signers,
            Clock clock) {
        this.timer = new SharedTimer(((VertxInternal) vertx).getEventLoopGroup(), System::nanoTime);
        this.signers = signers;
        this.clock = new ServerClock(clock);
        this.route = Route.to(endpoint, network);
        this.pools = new EventLoopPools((VertxInternal) vertx, route.options(), route.address(),
                new ConnectionLimits(connections, MAX_CONNECTING, MAX_WAITING * connections, KEEP_ALIVE), System::nanoTime);
    }

    /**
     * Sends a request. A refusal by the service is a response, not a failure.
     *
     * @param target the operation, such as {@code AmazonSQS.ReceiveMessage}
     * @param body JSON
     * @param timeout how long the response may take once the request is sent, and how long credentials may take. The wait for a
     *        connection is bounded separately, by the limit of waiting requests and the timeouts of those in flight
     * @return fails with {@link IOException}, {@link io.vertx.core.VertxException} or, after the timeout,
     *         {@link RequestFailedException} if no response arrives, even if one was sent; and with the credentials provider's
     *         {@link SdkClientException}, or an {@link IOException} around any other failure of it
     */
    public Uni<AwsResponse> post(String target, byte[] body, Duration timeout) {
        return post(target, body, timeout, response -> response);
    }

    /**
     * Sends a request and reads its response immediately: equivalent to operators on the other method's result, but cheaper.
     *
     * @param reader converts a response to what the caller needs, and failures to those that the caller expects
     */
    public <T> Uni<T> post(String target, byte[] body, Duration timeout, ResponseReader<T> reader) {
        return Uni.createFrom().emitter(emitter -> new Exchange<>(target, body, reader, emitter, timeout).begin());
    }

    public static byte[] body(RequestWriter writer) {
        ByteArrayBuilder bytes = new ByteArrayBuilder(USUAL_BYTES);
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            json.writeStartObject();
            writer.write(json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    @FunctionalInterface
    public interface ResponseReader<T> {

        /** @throws IOException if the response cannot be read; like any exception, it fails the request */
        T read(AwsResponse response) throws IOException;

        /** Converts a failure to the one to report. */
        default Throwable failure(Throwable failure) {
            return failure;
        }
    }

    private final class Exchange<T> implements HttpExchange {

        private final RequestHead head;
        private final byte[] body;
        private final ResponseReader<T> reader;
        private final UniEmitter<? super T> emitter;
        private final Duration timeout;
        private final EventLoopPools.PoolAccess access = pools.current();
        private @Nullable SigV4Signer signer;
        private @Nullable HttpConnection connection;
        private SharedTimer.@Nullable Timeout limit;
        private Instant signedAt = Instant.EPOCH;
        private boolean signedAgain;
        private boolean timedOut;
        private boolean ended;

        Exchange(String target, byte[] body, ResponseReader<T> reader, UniEmitter<? super T> emitter, Duration timeout) {
            this.head = heads.computeIfAbsent(target, key -> RequestHead.of(route, key));
            this.body = body;
            this.reader = reader;
            this.emitter = emitter;
            this.timeout = timeout;
        }

        void begin() {
            // Once there is an outcome, or the caller has cancelled, a request in flight is no longer needed.
            emitter.onTermination(() -> access.run(this::giveUp));
            CompletableFuture<SigV4Signer> credentials = signers.current().toCompletableFuture();
            SharedTimer.Timeout patience = credentials.isDone() ? null
                    : timer.after(timeout, () -> fail(new RequestFailedException(Reason.TIMED_OUT,
                            "no credentials within " + Durations.text(timeout))));
            CompletableFuture<SigV4Signer> unused = credentials.whenComplete((current, failure) -> {
                if (patience != null) {
                    patience.cancel();
                }
                if (failure == null) {
                    signer = current;
                    access.run(this::borrow);
                } else {
                    fail(noCredentials(failure));
                }
            });
        }

        /**
         * Providers fail with arbitrary exceptions, including refusals by STS, but missing credentials are never the fault of
         * the request itself.
         */
        private static Throwable noCredentials(Throwable failure) {
            Throwable cause = AwsErrors.cause(failure);
            return cause instanceof SdkClientException ? cause : new IOException("no credentials: " + cause, cause);
        }

        private void borrow() {
            if (!ended) {
                access.pool().borrow(this);
            }
        }

        @Override
        public void connected(HttpConnection given) {
            connection = given;
            limit = timer.after(timeout, () -> {
                timedOut = true;
                fail(new RequestFailedException(Reason.TIMED_OUT, "no answer within " + Durations.text(timeout)));
            });
            ByteBuf request = given.allocator().ioBuffer(head.bytes().length + SIGNATURE_BYTES + body.length);
            try {
                write(request);
            } catch (RuntimeException | OutOfMemoryError e) {
                request.release();
                throw e;
            }
            given.send(request);
        }

        private void write(ByteBuf request) {
            request.writeBytes(head.bytes());
            signedAt = clock.instant();
            requireNonNull(signer).sign(head.signed(), body, signedAt, (name, value) -> write(request, name, value));
            write(request, "content-length", Integer.toString(body.length));
            request.writeCharSequence("\r\n", ISO_8859_1);
            request.writeBytes(body);
        }

        private static void write(ByteBuf request, String name, String value) {
            request.writeCharSequence(name, ISO_8859_1);
            request.writeCharSequence(": ", ISO_8859_1);
            request.writeCharSequence(value, ISO_8859_1);
            request.writeCharSequence("\r\n", ISO_8859_1);
        }

        @Override
        public void answered(HttpResponse response) {
            stopTimer();
            AwsResponse answer = new AwsResponse(response.status(), response.body());
            if (!signedAgain && answer.refusesSignature() && clock.learn(response.headers().get("date"), signedAt)) {
                signedAgain = true;
                connection = null;
                borrow();
                return;
            }
            ended = true;
            access.context().dispatch(() -> {
                if (isDamaged(response.headers().get("x-amz-crc32"), response.body())) {
                    fail(new IOException("an answer that was damaged on its way"));
                    return;
                }
                if (answer.refusesCredentials()) {
                    signers.refused(requireNonNull(signer));
                }
                complete(answer);
            });
        }

        private void complete(AwsResponse answer) {
            T read;
            try {
                read = reader.read(answer);
            } catch (IOException | RuntimeException e) {
                fail(e);
                return;
            }
            emitter.complete(read);
        }

        @Override
        public void failed(Throwable failure) {
            stopTimer();
            ended = true;
            access.context().dispatch(() -> fail(failure));
        }

        private void fail(Throwable failure) {
            emitter.fail(reader.failure(failure));
        }

        private void stopTimer() {
            SharedTimer.Timeout running = limit;
            if (running != null) {
                running.cancel();
            }
        }

        private void giveUp() {
            if (ended) {
                return;
            }
            ended = true;
            stopTimer();
            if (connection == null) {
                access.pool().forget(this);
            } else if (timedOut) {
                connection.close();
            } else {
                connection.abandon();
            }
        }
    }

    private static boolean isDamaged(@Nullable String sum, byte[] bytes) {
        if (sum == null) {
            return false;
        }
        CRC32 found = new CRC32();
        found.update(bytes);
        return !Long.toString(found.getValue()).equals(sum);
    }

    /**
     * The route to an endpoint. With a proxy, a request to an https endpoint goes through a tunnel, and a request to an http
     * endpoint goes to the proxy itself (RFC 9112, section 3.2.2).
     *
     * @param host the {@code Host} header, which is signed
     * @param target the target in the request line
     * @param headers additional headers of each request, not signed
     */
    record Route(NetClientOptions options, SocketAddress address, String host, String target, Map<String, String> headers) {

        private static final int CONNECT_MILLIS = 2_000;
        /** Enough for a cold process with a small share of a CPU; a hanging handshake must not block other connections. */
        private static final int HANDSHAKE_SECONDS = 5;
        private static final int HTTPS_PORT = 443;
        private static final int HTTP_PORT = 80;

        static Route to(URI uri, NetworkSettings network) {
            boolean secure = uri.getScheme().equalsIgnoreCase("https");
            int port = uri.getPort() < 0 ? secure ? HTTPS_PORT : HTTP_PORT : uri.getPort();
            String host = uri.getPort() < 0 ? uri.getHost() : uri.getHost() + ":" + uri.getPort();
            SocketAddress address = SocketAddress.inetSocketAddress(port, uri.getHost());
            NetClientOptions options = new NetClientOptions().setConnectTimeout(CONNECT_MILLIS).setSsl(secure)
                    .setSslHandshakeTimeout(HANDSHAKE_SECONDS).setSslHandshakeTimeoutUnit(TimeUnit.SECONDS);
            if (secure) {
                options.setHostnameVerificationAlgorithm("HTTPS");
                network.trustManager().ifPresent(trust -> options.setTrustOptions(TrustOptions.wrap(trust)));
            }
            return network.proxies().to(uri).map(proxy -> {
                if (secure) {
                    return new Route(options.setProxyOptions(tunnel(proxy)), address, host, path(uri), Map.of());
                }
                return new Route(options, SocketAddress.inetSocketAddress(proxy.port(), proxy.host()), host,
                        "http://" + host + path(uri), authorization(proxy));
            }).orElse(new Route(options, address, host, path(uri), Map.of()));
        }

        static String path(URI uri) {
            String path = uri.getRawPath();
            return path == null || path.isEmpty() ? "/" : path;
        }

        private static ProxyOptions tunnel(Proxy proxy) {
            return new ProxyOptions().setType(ProxyType.HTTP).setHost(proxy.host()).setPort(proxy.port())
                    .setUsername(proxy.user()).setPassword(proxy.password());
        }

        private static Map<String, String> authorization(Proxy proxy) {
            return proxy.user() == null ? Map.of()
                    : Map.of("proxy-authorization", "Basic " + Base64.getEncoder()
                            .encodeToString((proxy.user() + ":" + proxy.password()).getBytes(UTF_8)));
        }

        /**
         * The start of every request of an operation.
         *
         * @param signed the signed headers
         * @param bytes the request line and the headers, as sent
         */
        record RequestHead(Map<String, String> signed, byte[] bytes) {

            private static final String CONTENT_TYPE = "application/x-amz-json-1.0";

            /** @param operation the header x-amz-target, such as {@code AmazonSQS.ReceiveMessage} */
            static RequestHead of(Route route, String operation) {
                Map<String, String> signed = Map.of("host", route.host(), "content-type", CONTENT_TYPE, "x-amz-target",
                        operation);
                StringBuilder head = new StringBuilder("POST ").append(route.target()).append(" HTTP/1.1\r\n");
                route.headers().forEach((name, value) -> append(head, name, value));
                signed.forEach((name, value) -> append(head, name, value));
                return new RequestHead(signed, head.toString().getBytes(ISO_8859_1));
            }

            private static void append(StringBuilder head, String name, String value) {
                head.append(name).append(": ").append(value).append("\r\n");
            }
        }
    }
}
