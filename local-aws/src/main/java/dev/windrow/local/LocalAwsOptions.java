package dev.windrow.local;

import java.nio.file.Path;
import java.util.Optional;

import dev.windrow.provision.QueueSpec;
import dev.windrow.provision.TableSpec;
import dev.windrow.table.TableSchema;

/**
 * The options of {@link LocalAws}.
 *
 * @param host address to listen on: a host name or IP address; {@code 0.0.0.0} for every interface, as in a container
 * @param dynamoDbPort port of DynamoDB, up to 65,535; 0 for any free port
 * @param sqsPort port of SQS, likewise
 * @param folder where data is kept across restarts; in memory if absent
 * @param queue the queue to provision, with its dead-letter queue
 * @param provision whether to create table and queues at startup
 */
public record LocalAwsOptions(String host, int dynamoDbPort, int sqsPort, Optional<Path> folder, TableSpec table,
        QueueSpec queue, boolean provision) {

    /** An address that only this machine can reach. */
    public static final String LOOPBACK = "127.0.0.1";

    public LocalAwsOptions {
        if (host.isBlank()) {
            throw new IllegalArgumentException("host: expected a host name or an IP address, found '" + host + "'");
        }
        requirePort("dynamodb port", dynamoDbPort);
        requirePort("sqs port", sqsPort);
    }

    /** For tests: loopback, free ports, in memory, everything provisioned under the default names. */
    public static LocalAwsOptions forTests() {
        return new LocalAwsOptions(LOOPBACK, 0, 0, Optional.empty(), TableSpec.named(TableSchema.TABLE),
                QueueSpec.named(QueueSpec.QUEUE), true);
    }

    /** The same, listening elsewhere. */
    public LocalAwsOptions withHost(String address) {
        return new LocalAwsOptions(address, dynamoDbPort, sqsPort, folder, table, queue, provision);
    }

    /** The same on other ports; 0 for any free one. */
    public LocalAwsOptions withPorts(int dynamoDb, int sqs) {
        return new LocalAwsOptions(host, dynamoDb, sqs, folder, table, queue, provision);
    }

    /** The same with data kept in a folder, which is created if missing. */
    public LocalAwsOptions withFolder(Path path) {
        return new LocalAwsOptions(host, dynamoDbPort, sqsPort, Optional.of(path), table, queue, provision);
    }

    public LocalAwsOptions withTable(TableSpec spec) {
        return new LocalAwsOptions(host, dynamoDbPort, sqsPort, folder, spec, queue, provision);
    }

    public LocalAwsOptions withQueue(QueueSpec spec) {
        return new LocalAwsOptions(host, dynamoDbPort, sqsPort, folder, table, spec, provision);
    }

    /** The same with bare servers: neither table nor queues are created at start. */
    public LocalAwsOptions withoutProvisioning() {
        return new LocalAwsOptions(host, dynamoDbPort, sqsPort, folder, table, queue, false);
    }

    private static void requirePort(String name, int port) {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException(name + ": expected from 0 (any free port) to 65535, found " + port);
        }
    }
}
