package dev.windrow.writer.testing;

import java.time.Clock;

import dev.windrow.aws.AwsJsonClientFactory;
import dev.windrow.aws.NetworkSettings;
import dev.windrow.local.LocalAws;
import dev.windrow.provision.TableSpec;
import dev.windrow.testing.Patience;
import dev.windrow.writer.table.DynamoTable;
import io.vertx.core.Vertx;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** Tables as the service writes them, by a client that ends with the JVM. */
public final class PlainClients {

    private static final int CONNECTIONS = 64;
    private static final Vertx VERTX = Vertx.vertx();

    private PlainClients() {
    }

    /** A new table as the service writes it; or one that exists, with indexes for more leaderboards. */
    public static DynamoTable create(LocalAws aws, TableSpec table) {
        aws.createTable(table);
        return table(aws.dynamoDb(), table.name());
    }

    /** A table as the service writes it, where a client finds it. */
    public static DynamoTable table(DynamoDbAsyncClient sdk, String name) {
        return new DynamoTable(new AwsJsonClientFactory(VERTX, NetworkSettings.direct(), Runnable::run, Clock.systemUTC())
                .dynamoDb(sdk, CONNECTIONS), name, Patience.LIMIT);
    }
}
