package dev.windrow.local;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.windrow.provision.QueueProvisioner;
import dev.windrow.provision.QueueProvisioner.ProvisionedQueues;
import dev.windrow.provision.QueueProvisioner.QueueSpec;
import dev.windrow.provision.TableProvisioner;
import dev.windrow.provision.TableProvisioner.TableSpec;
import dev.windrow.provision.TableProvisioner.WaiterPolicy;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/**
 * DynamoDB Local and ElasticMQ in this JVM, with Windrow's table and queues. Any number may run at once on different
 * ports; of those that keep their data in a folder, one at a time.
 */
public final class LocalAws implements AutoCloseable {

    /** A minute: tables are active at once, and seconds later on a machine that is ten times overloaded. */
    private static final WaiterPolicy PATIENCE = new WaiterPolicy(Duration.ofMillis(20), 3_000);

    private final LocalAwsOptions options;
    private final Cleanup cleanup;
    private final URI dynamoDbEndpoint;
    private final URI sqsEndpoint;
    private final LocalClients clients;
    private @Nullable ProvisionedQueues queues;

    private LocalAws(LocalAwsOptions options, Cleanup cleanup) {
        this.options = options;
        this.cleanup = cleanup;
        Optional<Path> folder = options.folder().map(path -> cleanup.add(DataFolder.open(path)).path());
        DynamoDbServer dynamoDbServer = cleanup.add(DynamoDbServer.start(options.host(), options.dynamoDbPort(), folder));
        SqsServer sqsServer = cleanup.add(SqsServer.start(options.host(), options.sqsPort(), folder));
        this.dynamoDbEndpoint = LocalClients.endpoint(options.host(), dynamoDbServer.port());
        this.sqsEndpoint = LocalClients.endpoint(options.host(), sqsServer.port());
        this.clients = cleanup.add(new LocalClients(dynamoDbEndpoint, sqsEndpoint));
    }

    /**
     * Starts both servers and, unless the options say otherwise, creates the table and the queues; returns once all are ready.
     *
     * @throws IllegalStateException a port or the folder is in use, or a server does not start
     * @throws dev.windrow.provision.TableProvisioner.ProvisionException the folder holds a table of another form
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
            cleanup.closeAfter(failure);
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
        return clients.dynamoDb();
    }

    /** A client of this SQS; it is closed with this object, not by its users. */
    public SqsAsyncClient sqs() {
        return clients.sqs();
    }

    /** Creates one more table of Windrow's form, so that tests can share servers without sharing data. */
    public void createTable(String name) {
        createTable(TableSpec.named(name));
    }

    /** The same, with leaderboards; adds the indexes of these to a table that exists. */
    public void createTable(TableSpec spec) {
        new TableProvisioner(dynamoDb(), PATIENCE).provision(spec);
    }

    /** Creates one more queue with its dead-letter queue, likewise. */
    public ProvisionedQueues createQueue(QueueSpec spec) {
        return new QueueProvisioner(sqs()).provision(spec);
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

    /** Closes what was opened, in reverse order, each once, and all of it even when some fail to close. */
    static final class Cleanup implements AutoCloseable {

        private final Deque<AutoCloseable> opened = new ArrayDeque<>();

        synchronized <T extends AutoCloseable> T add(T resource) {
            opened.push(resource);
            return resource;
        }

        @Override
        public void close() {
            RuntimeException failure = closeAll();
            if (failure != null) {
                throw failure;
            }
        }

        /** Closes because of a failure, to which those of closing are added. */
        void closeAfter(Throwable cause) {
            RuntimeException failure = closeAll();
            if (failure != null) {
                cause.addSuppressed(failure);
            }
        }

        private synchronized @Nullable RuntimeException closeAll() {
            RuntimeException all = null;
            while (!opened.isEmpty()) {
                AutoCloseable resource = opened.pop();
                try {
                    resource.close();
                } catch (Exception failure) {
                    if (all == null) {
                        all = new IllegalStateException("could not stop all of the embedded servers");
                    }
                    all.addSuppressed(failure);
                }
            }
            return all;
        }
    }
}
