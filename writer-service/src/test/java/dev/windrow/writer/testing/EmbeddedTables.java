package dev.windrow.writer.testing;

import java.time.Clock;

import dev.windrow.aws.AwsJsonClient;
import dev.windrow.aws.AwsJsonClientFactory;
import dev.windrow.aws.NetworkSettings;
import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.provision.TableProvisioner.TableSpec;
import dev.windrow.testing.Patience;
import dev.windrow.writer.table.DynamoTable;
import io.vertx.core.Vertx;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** An embedded DynamoDB for tests that write without the service, and the client that the service writes with. */
public final class EmbeddedTables implements AutoCloseable {

    private static final int CONNECTIONS = 64;

    private final LocalAws aws = LocalAws.start(LocalAwsOptions.forTests().withoutProvisioning());
    private final Vertx vertx = Vertx.vertx();
    private final AwsJsonClient client = new AwsJsonClientFactory(vertx, NetworkSettings.direct(), Runnable::run,
            Clock.systemUTC()).dynamoDb(aws.dynamoDb(), CONNECTIONS);

    /** Creates a table. */
    public DynamoTable create(String name) {
        return create(TableSpec.named(name));
    }

    /** The same, with leaderboards; adds the indexes of these to a table that exists. */
    public DynamoTable create(TableSpec table) {
        aws.createTable(table);
        return new DynamoTable(client, table.name(), Patience.LIMIT);
    }

    /** To look at the tables. */
    public DynamoDbAsyncClient dynamoDb() {
        return aws.dynamoDb();
    }

    @Override
    public void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
        aws.close();
    }
}
