package dev.windrow.aws;

import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32;

import org.jspecify.annotations.Nullable;

import dev.windrow.signing.SigV4Signer;
import dev.windrow.signing.SignerCache;
import dev.windrow.time.SharedTimer;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.AsyncResult;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.impl.VertxInternal;
import io.vertx.core.net.ProxyOptions;
import io.vertx.core.net.ProxyType;
import io.vertx.core.net.TrustOptions;

/**
 * Speaks AWS's JSON protocol: a signed POST for each request over Vert.x's HTTP client. The SDK does the same for several
 * times the processor time. One try for each request; one that is given up closes its connection. Thread-safe.
 */
public final class AwsJsonClient {

    private static final String CONTENT_TYPE = "application/x-amz-json-1.0";
    /** Idle connections are closed before the services close them, which is after 20 s or more. */
    private static final int KEEP_ALIVE_SECONDS = 15;
    private static final int MAX_WAITING = 4;
    private static final int CONNECT_MILLIS = 2_000;
    private static final int HTTPS_PORT = 443;
    private static final int HTTP_PORT = 80;
    /** Far more than ten messages of 1 MiB, an item in each of a hundred refusals, or a page of 1 MB can be as JSON. */
    private static final int MAX_BYTES = 64 << 20;
    /** Memory that is set aside on an answer's word; what is longer has it grow. */
    private static final int MAX_INITIAL_CAPACITY = 4 << 20;
    private static final byte[] NOTHING = {};

    private final EventLoopClients clients;
    private final SharedTimer timer;
    private final SignerCache signers;
    private final String host;
    private final RequestOptions options;
    private final Clock clock;
    private final Map<String, Map<String, String>> headers = new ConcurrentHashMap<>();

    /**
     * @param network the way to the endpoint
     * @param connections maximum number of requests in flight from one event loop; a bounded number waits
     * @param signers of requests to the endpoint's path
     */
    public AwsJsonClient(Vertx vertx, AwsEndpoint endpoint, NetworkSettings network, int connections, SignerCache signers,
            Clock clock) {
        URI uri = endpoint.uri();
        boolean secure = uri.getScheme().equals("https");
        this.timer = new SharedTimer(((VertxInternal) vertx).getEventLoopGroup(), System::nanoTime);
        this.signers = signers;
        this.clock = clock;
        this.host = uri.getPort() < 0 ? uri.getHost() : uri.getHost() + ":" + uri.getPort();
        this.options = new RequestOptions().setMethod(HttpMethod.POST).setHost(uri.getHost())
                .setPort(uri.getPort() < 0 ? secure ? HTTPS_PORT : HTTP_PORT : uri.getPort()).setSsl(secure)
                .setURI(endpoint.path());
        this.clients = new EventLoopClients((VertxInternal) vertx, options(network, endpoint),
                new PoolOptions().setHttp1MaxSize(connections).setMaxWaitQueueSize(MAX_WAITING * connections));
    }

    private static HttpClientOptions options(NetworkSettings network, AwsEndpoint endpoint) {
        HttpClientOptions options = new HttpClientOptions().setConnectTimeout(CONNECT_MILLIS)
                .setKeepAliveTimeout(KEEP_ALIVE_SECONDS).setName("windrow-" + endpoint.service());
        network.trustManager().ifPresent(trust -> options.setTrustOptions(TrustOptions.wrap(trust)));
        network.proxies().to(endpoint.uri()).ifPresent(proxy -> options.setProxyOptions(
                new ProxyOptions().setType(ProxyType.HTTP).setHost(proxy.host()).setPort(proxy.port())
                        .setUsername(proxy.user()).setPassword(proxy.password())));
        return options;
    }

    /**
     * Makes a request. What a service refuses is an answer, not a failure.
     *
     * @param target the operation, such as {@code AmazonSQS.ReceiveMessage}
     * @param body JSON
     * @param timeout how long the answer may take, waiting for credentials and a connection included
     * @return fails with {@link IOException}, {@link io.vertx.core.VertxException} or, after the time-out,
     *         {@link AwsTimeoutException} if there is no answer, which may have been lost; and with whatever the credentials'
     *         provider fails with, perhaps in a {@link java.util.concurrent.CompletionException}
     */
    public Uni<AwsResponse> post(String target, byte[] body, Duration timeout) {
        return post(target, body, timeout, response -> response);
    }

    /**
     * Makes a request whose answer is read at once: the same as operators after the other method, without what these cost.
     *
     * @param reader makes of an answer what the caller needs, and of failures those that the caller knows
     */
    public <T> Uni<T> post(String target, byte[] body, Duration timeout, ResponseReader<T> reader) {
        return Uni.createFrom().emitter(emitter -> new Exchange<>(target, body, reader, emitter, timeout).begin());
    }

    /** Reads answers. */
    @FunctionalInterface
    public interface ResponseReader<T> {

        /** @throws IOException if the answer cannot be read, as any exception a failure of the request */
        T read(AwsResponse response) throws IOException;

        /** The failure to be reported instead of one. */
        default Throwable failure(Throwable failure) {
            return failure;
        }
    }

    private Map<String, String> headers(String target) {
        return headers.computeIfAbsent(target,
                key -> Map.of("host", host, "content-type", CONTENT_TYPE, "x-amz-target", key));
    }

    /** One request and its answer. */
    private final class Exchange<T> {

        private final String target;
        private final byte[] message;
        private final ResponseReader<T> reader;
        private final UniEmitter<? super T> emitter;
        private final SharedTimer.Timeout timeout;
        private final EventLoopClients.EventLoopClient client = clients.current();
        private byte[] body = NOTHING;
        private int length;
        private @Nullable HttpClientRequest request;
        private boolean ended;

        Exchange(String target, byte[] message, ResponseReader<T> reader, UniEmitter<? super T> emitter, Duration timeout) {
            this.target = target;
            this.message = message;
            this.reader = reader;
            this.emitter = emitter;
            this.timeout = timer.after(timeout, () -> fail(new AwsTimeoutException("no answer within " + timeout)));
        }

        void begin() {
            emitter.onTermination(this::end);
            CompletionStage<SigV4Signer> unused = signers.current().whenComplete((signer, failure) -> {
                if (failure == null) {
                    client.run(() -> client.client().request(options).onComplete(connected -> send(connected, signer)));
                } else {
                    fail(failure);
                }
            });
        }

        private void send(AsyncResult<HttpClientRequest> connected, SigV4Signer signer) {
            if (connected.failed()) {
                fail(connected.cause());
                return;
            }
            HttpClientRequest sending = connected.result();
            // Also for one that is given up, whose end would be logged as an error otherwise.
            sending.exceptionHandler(this::fail);
            if (!keep(sending)) {
                sending.reset();
                return;
            }
            Map<String, String> all = headers(target);
            all.forEach(sending::putHeader);
            signer.sign(all, message, clock.instant(), sending::putHeader);
            sending.send(Buffer.buffer(message)).onComplete(answered -> receive(answered, signer));
        }

        private void receive(AsyncResult<HttpClientResponse> answered, SigV4Signer signer) {
            if (answered.failed()) {
                fail(answered.cause());
                return;
            }
            HttpClientResponse response = answered.result();
            response.exceptionHandler(this::fail);
            body = new byte[expected(response)];
            response.handler(chunk -> {
                if (chunk.length() > MAX_BYTES - length) {
                    fail(new IOException("an answer of more than " + MAX_BYTES + " bytes"));
                } else {
                    append(chunk);
                }
            });
            response.endHandler(whole -> complete(response, signer));
        }

        /** The length that the answer says it has, as far as that can be believed. */
        private static int expected(HttpClientResponse response) {
            String declared = response.getHeader(HttpHeaders.CONTENT_LENGTH);
            try {
                return declared == null ? 0 : Math.max(0, Math.min(Integer.parseInt(declared), MAX_INITIAL_CAPACITY));
            } catch (NumberFormatException e) {
                return 0;
            }
        }

        private void append(Buffer chunk) {
            int longer = length + chunk.length();
            if (longer > body.length) {
                body = Arrays.copyOf(body, Math.max(longer, Math.min(2 * length, MAX_BYTES)));
            }
            chunk.getBytes(body, length);
            length = longer;
        }

        private void complete(HttpClientResponse response, SigV4Signer signer) {
            if (!endOnce()) {
                return;
            }
            byte[] bytes = length == body.length ? body : Arrays.copyOf(body, length);
            if (isDamaged(response.getHeader("x-amz-crc32"), bytes)) {
                fail(new IOException("an answer that was damaged on its way"));
            } else {
                AwsResponse answer = new AwsResponse(response.statusCode(), response.getHeader("x-amzn-requestid"), bytes);
                if (answer.refusesCredentials()) {
                    signers.refused(signer);
                }
                complete(answer);
            }
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

        private void fail(Throwable failure) {
            emitter.fail(reader.failure(failure));
        }

        private synchronized boolean keep(HttpClientRequest sending) {
            request = sending;
            return !ended;
        }

        private synchronized boolean endOnce() {
            boolean first = !ended;
            ended = true;
            return first;
        }

        /** Once there is an outcome or nobody waits for one: a request under way is of no more use. */
        private void end() {
            timeout.cancel();
            HttpClientRequest sent;
            synchronized (this) {
                sent = ended ? null : request;
                ended = true;
            }
            if (sent != null) {
                client.run(sent::reset);
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
}
