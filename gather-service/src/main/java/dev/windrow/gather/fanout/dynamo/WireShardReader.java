package dev.windrow.gather.fanout.dynamo;

import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.zip.CRC32;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import dev.windrow.gather.fanout.GatherException;
import dev.windrow.gather.fanout.ShardPage;
import dev.windrow.gather.fanout.ShardReader;
import dev.windrow.reason.Reason;
import dev.windrow.signing.Signer;
import dev.windrow.signing.Signers;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.AsyncResult;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbServiceClientConfiguration;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;

/**
 * Reads shards by DynamoDB's wire protocol: one signed POST a page over Vert.x's HTTP client, on the event loop that asked,
 * and the answer read as a stream into items. Where to, and with whose credentials, is what the SDK's client was told. One
 * request a page; never retries; a read that is given up closes its connection.
 */
public final class WireShardReader implements ShardReader {

    private static final Logger LOG = Logger.getLogger(WireShardReader.class);
    private static final String TARGET = "DynamoDB_20120810.Query";
    private static final String CONTENT_TYPE = "application/x-amz-json-1.0";
    private static final int OK = 200;

    /** Reads that wait for a connection, for each connection; few do, as the fan-out bounds how many are under way. */
    private static final int MOST_WAITING = 4;

    /** Far more than a page of 1 MB of attributes can be as JSON. */
    private static final int MOST_BYTES = 16 << 20;

    private final Vertx vertx;
    private final HttpClient client;
    private final Signers signers;
    private final URI endpoint;
    private final Map<String, String> headers;
    private final RequestOptions options;
    private final String table;
    private final Clock clock;
    private final long timeoutMillis;

    /**
     * @param client an SDK client for the same table: its endpoint, region and credentials are used
     * @param timeout how long an answer may take
     * @param connections most requests in flight
     * @param mayBlock where credentials are asked for
     */
    public WireShardReader(Vertx vertx, DynamoDbAsyncClient client, String table, Duration timeout, int connections,
            Executor mayBlock, Clock clock) {
        DynamoDbServiceClientConfiguration sdk = client.serviceClientConfiguration();
        String region = sdk.region().id();
        this.vertx = vertx;
        this.endpoint = QueryEndpoint.of(sdk);
        this.table = table;
        this.clock = clock;
        this.timeoutMillis = timeout.toMillis();
        String path = endpoint.getRawPath() == null || endpoint.getRawPath().isEmpty() ? "/" : endpoint.getRawPath();
        boolean secure = endpoint.getScheme().equals("https");
        this.headers = Map.of("host", host(), "content-type", CONTENT_TYPE, "x-amz-target", TARGET);
        this.options = new RequestOptions().setMethod(HttpMethod.POST).setHost(endpoint.getHost())
                .setPort(endpoint.getPort() < 0 ? secure ? 443 : 80 : endpoint.getPort()).setSsl(secure).setURI(path);
        this.signers = new Signers(sdk.credentialsProvider()::resolveIdentity,
                identity -> new Signer(identity, "dynamodb", region, path), mayBlock, clock,
                failure -> LOG.warnf("credentials not renewed: error=%s", failure.getMessage()));
        this.client = vertx.createHttpClient(
                new HttpClientOptions().setConnectTimeout((int) timeoutMillis).setName("windrow-table"),
                new PoolOptions().setHttp1MaxSize(connections).setMaxWaitQueueSize(MOST_WAITING * connections));
    }

    private String host() {
        return endpoint.getPort() < 0 ? endpoint.getHost() : endpoint.getHost() + ":" + endpoint.getPort();
    }

    @Override
    public Uni<ShardPage> read(Read read) {
        ItemDecoder decoder = new ItemDecoder(read);
        return Uni.createFrom().completionStage(signers::current).onItem()
                .transformToUni(signer -> Uni.createFrom().<ShardPage> emitter(
                        emitter -> new Exchange(decoder, emitter).begin(signer, QueryMessages.request(table, read, decoder))))
                .onFailure().transform(QueryFailures::told);
    }

    /** One request and its answer. */
    private final class Exchange {
        private final ItemDecoder decoder;
        private final UniEmitter<? super ShardPage> emitter;
        private final long timer;
        private final Buffer body = Buffer.buffer();
        private @Nullable HttpClientRequest request;
        private boolean ended;

        Exchange(ItemDecoder decoder, UniEmitter<? super ShardPage> emitter) {
            this.decoder = decoder;
            this.emitter = emitter;
            this.timer = vertx.setTimer(timeoutMillis, id -> fail(
                    new GatherException(Reason.TIMED_OUT, "no answer of the table within " + timeoutMillis + " ms")));
        }

        void begin(Signer signer, byte[] message) {
            emitter.onTermination(this::end);
            client.request(options).onComplete(connected -> send(connected, signer, message));
        }

        private void send(AsyncResult<HttpClientRequest> connected, Signer signer, byte[] message) {
            if (connected.failed()) {
                fail(connected.cause());
                return;
            }
            HttpClientRequest sending = connected.result();
            if (!keep(sending)) {
                sending.reset();
                return;
            }
            headers.forEach(sending::putHeader);
            signer.sign(headers, message, clock.instant(), sending::putHeader);
            sending.send(Buffer.buffer(message)).onComplete(this::receive);
        }

        private void receive(AsyncResult<HttpClientResponse> answered) {
            if (answered.failed()) {
                fail(answered.cause());
                return;
            }
            HttpClientResponse response = answered.result();
            response.exceptionHandler(this::fail);
            response.handler(chunk -> {
                if (body.length() + chunk.length() > MOST_BYTES) {
                    fail(new IOException("an answer of more than " + MOST_BYTES + " bytes"));
                } else {
                    body.appendBuffer(chunk);
                }
            });
            response.endHandler(whole -> complete(response));
        }

        private void complete(HttpClientResponse response) {
            if (!endOnce()) {
                return;
            }
            try {
                emitter.complete(page(response, body.getBytes(), decoder));
            } catch (IOException | RuntimeException e) {
                emitter.fail(e);
            }
        }

        private void fail(Throwable failure) {
            emitter.fail(failure);
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
            vertx.cancelTimer(timer);
            HttpClientRequest sent;
            synchronized (this) {
                sent = ended ? null : request;
                ended = true;
            }
            if (sent != null) {
                sent.reset();
            }
        }
    }

    private static ShardPage page(HttpClientResponse response, byte[] answer, ItemDecoder decoder) throws IOException {
        String sum = response.getHeader("x-amz-crc32");
        if (sum != null) {
            CRC32 found = new CRC32();
            found.update(answer);
            if (found.getValue() != Long.parseLong(sum)) {
                throw new IOException("an answer that was damaged on its way");
            }
        }
        if (response.statusCode() == OK) {
            return QueryMessages.page(answer, decoder);
        }
        QueryMessages.Refusal refusal = QueryMessages.refusal(answer);
        String id = response.getHeader("x-amzn-requestid");
        throw DynamoDbException.builder().statusCode(response.statusCode()).requestId(id).message(refusal.message())
                .awsErrorDetails(AwsErrorDetails.builder().serviceName("DynamoDb").errorCode(refusal.type())
                        .errorMessage(refusal.message()).build())
                .build();
    }
}
