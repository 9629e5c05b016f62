package dev.windrow.local;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

import org.jspecify.annotations.Nullable;

import dev.windrow.provision.ProvisionedQueues;
import dev.windrow.provision.QueueProvisioner;
import dev.windrow.provision.QueueSpec;
import dev.windrow.provision.TableProvisioner;
import dev.windrow.provision.TableSpec;
import dev.windrow.provision.WaiterPolicy;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsAsyncClientBuilder;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.SdkEventLoopGroup;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/**
 * DynamoDB Local and ElasticMQ in this JVM, with Windrow's table and queues. Any number of instances may run concurrently on
 * different ports, but only one of them may keep its data in a folder.
 */
public final class LocalAws implements AutoCloseable {

    /** A minute: tables are active immediately, or within seconds on a machine that is ten times overloaded. */
    private static final WaiterPolicy PATIENCE = new WaiterPolicy(Duration.ofMillis(20), 3_000);

    /** Region that clients and the command line should name; the servers accept any. */
    static final Region REGION = Region.US_EAST_1;

    /** Access key and secret: any value works, but DynamoDB Local accepts only letters and digits. */
    static final String CREDENTIAL = "windrow";

    private static final int CLIENT_THREADS = 2;
    private static final String LOCK_FILE = "windrow-local.lock";

    /**
     * Keeps the servers' own log messages, except warnings, out of the embedding application's log. Held here, because
     * java.util.logging forgets the levels of unreferenced loggers.
     */
    private static final Map<Logger, Level> LOG_LEVELS = Map.of(
            // Warns, with a stack trace, of each failed condition, which the client gets as an error anyway.
            Logger.getLogger("software.amazon.dynamodb.services.local"), Level.OFF,
            // A port in use is reported once, by the exception.
            Logger.getLogger("org.apache.pekko.io.TcpListener"), Level.OFF,
            Logger.getLogger("org.elasticmq.rest.sqs.TheSQSRestServerBuilder"), Level.OFF,
            // Warns of each unsupported attribute, such as retention.
            Logger.getLogger("org.elasticmq.rest.sqs"), Level.SEVERE,
            Logger.getLogger("org.eclipse.jetty"), Level.WARNING,
            Logger.getLogger("org.elasticmq"), Level.WARNING,
            Logger.getLogger("org.apache.pekko"), Level.WARNING,
            Logger.getLogger("scalikejdbc"), Level.WARNING);

    private final LocalAwsOptions options;
    private final Cleanup cleanup;
    private final URI dynamoDbEndpoint;
    private final URI sqsEndpoint;
    private final DynamoDbAsyncClient dynamoDb;
    private final SqsAsyncClient sqs;
    private @Nullable ProvisionedQueues queues;

    private LocalAws(LocalAwsOptions options, Cleanup cleanup) {
        this.options = options;
        this.cleanup = cleanup;
        // Keeps levels that the application has set.
        LOG_LEVELS.forEach((logger, level) -> {
            if (logger.getLevel() == null) {
                logger.setLevel(level);
            }
        });
        Optional<Path> folder = options.folder().map(path -> locked(path, cleanup));
        this.dynamoDbEndpoint = endpoint(options.host(),
                DynamoDbServer.start(options.host(), options.dynamoDbPort(), folder, cleanup));
        this.sqsEndpoint = endpoint(options.host(), SqsServer.start(options.host(), options.sqsPort(), folder, cleanup));
        // Separate threads: the SDK takes two seconds to stop its own, which would delay every test class.
        NioEventLoopGroup threads = new NioEventLoopGroup(CLIENT_THREADS, new DefaultThreadFactory("local-aws-client", true));
        cleanup.add(() -> threads.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly());
        SdkAsyncHttpClient http = cleanup.add(NettyNioAsyncHttpClient.builder()
                .eventLoopGroup(SdkEventLoopGroup.create(threads, NioSocketChannel::new)).build());
        this.dynamoDb = cleanup.add(configured(DynamoDbAsyncClient.builder(), dynamoDbEndpoint, http).build());
        this.sqs = cleanup.add(configured(SqsAsyncClient.builder(), sqsEndpoint, http)
                .overrideConfiguration(override -> override.addExecutionInterceptor(new SqsMessageSize())).build());
    }

    /**
     * Locks a data folder for this process: neither server would notice another process that writes the same files. The lock
     * file stays, as removing it would race with the next owner.
     */
    private static Path locked(Path folder, Cleanup cleanup) {
        Path path = folder.toAbsolutePath().normalize();
        try {
            Files.createDirectories(path);
            FileChannel channel = cleanup.add(FileChannel.open(path.resolve(LOCK_FILE), StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE));
            if (tryLock(channel) == null) {
                throw new IllegalStateException("folder: expected one that no other process uses, found " + path + " in use");
            }
            return path;
        } catch (IOException failure) {
            throw new IllegalStateException("folder: expected one that can be written to, found " + path + ": "
                    + failure, failure);
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException heldInThisProcess) {
            return null;
        }
    }

    /** Returns the address at which this machine reaches a server; not always the one that it listens on. */
    private static URI endpoint(String host, int port) {
        String reachable = host.equals("0.0.0.0") || host.equals("::") ? LocalAwsOptions.LOOPBACK
                : host.contains(":") ? "[" + host + "]" : host;
        return URI.create("http://" + reachable + ":" + port);
    }

    /** @param http is not closed with the client */
    static <B extends AwsClientBuilder<B, C> & AwsAsyncClientBuilder<B, C>, C> B configured(B builder, URI endpoint,
            SdkAsyncHttpClient http) {
        return builder.endpointOverride(endpoint)
                .region(REGION)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create(CREDENTIAL, CREDENTIAL)))
                .httpClient(http);
    }

    /**
     * Starts both servers and, unless the options say otherwise, creates the table and the queues; returns once all are ready.
     *
     * @throws IllegalStateException if a port or the folder is in use, or a server does not start
     * @throws dev.windrow.provision.TableProvisioner.ProvisionException if the folder contains a table of another form
     */
    public static LocalAws start(LocalAwsOptions options) {
        Cleanup cleanup = new Cleanup();
        try {
            LocalAws started = new LocalAws(options, cleanup);
            if (options.provision()) {
                started.createTable(options.table());
                started.queues = started.createQueue(options.queue());
            }
            return started;
        } catch (RuntimeException | Error failure) {
            try {
                cleanup.close();
            } catch (IllegalStateException closing) {
                failure.addSuppressed(closing);
            }
            throw failure;
        }
    }

    /** Where DynamoDB listens, such as {@code http://127.0.0.1:8000}. */
    public URI dynamoDbEndpoint() {
        return dynamoDbEndpoint;
    }

    /** Where SQS listens, such as {@code http://127.0.0.1:9324}. */
    public URI sqsEndpoint() {
        return sqsEndpoint;
    }

    /** Name of the table provisioned at start. */
    public String tableName() {
        return options.table().name();
    }

    /** Name of the queue provisioned at start. */
    public String queueName() {
        return options.queue().name();
    }

    /** URL of the queue provisioned at start. */
    public String queueUrl() {
        return queues().url();
    }

    /** URL of the dead-letter queue provisioned at start. */
    public String deadLetterQueueUrl() {
        return queues().deadLetterUrl();
    }

    /** A client of this DynamoDB; it is closed with this object, not by its users. */
    public DynamoDbAsyncClient dynamoDb() {
        return dynamoDb;
    }

    /** A client of this SQS; it is closed with this object, not by its users. */
    public SqsAsyncClient sqs() {
        return sqs;
    }

    /** Creates another Windrow table, so that tests can share servers without sharing data. */
    public void createTable(String name) {
        createTable(TableSpec.named(name));
    }

    /** The same with leaderboards; adds their indexes to an existing table. */
    public void createTable(TableSpec spec) {
        new TableProvisioner(dynamoDb, PATIENCE).provision(spec);
    }

    /** Creates another queue with its dead-letter queue. */
    public ProvisionedQueues createQueue(QueueSpec spec) {
        return new QueueProvisioner(sqs).provision(spec);
    }

    /** Stops both servers and closes the clients; data in memory is gone. Closing again does nothing. */
    @Override
    public void close() {
        cleanup.close();
    }

    private ProvisionedQueues queues() {
        if (queues == null) {
            throw new IllegalStateException("queue: none was provisioned, as the options say");
        }
        return queues;
    }

}
