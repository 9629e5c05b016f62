package dev.windrow.gather.read;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;

import dev.windrow.aws.AwsJsonClient;
import dev.windrow.aws.AwsJsonClientFactory;
import dev.windrow.aws.NetworkSettings;
import dev.windrow.local.TestClients;
import dev.windrow.table.TableSchema;
import io.vertx.core.Vertx;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** A connection to a server, for which it creates readers. */
final class ReaderConnection implements AutoCloseable {

    private static final int CONNECTIONS = 4;

    private final Vertx vertx;
    private final DynamoDbAsyncClient sdk;

    ReaderConnection(Vertx vertx, URI endpoint) {
        this.vertx = vertx;
        this.sdk = TestClients.dynamoDb(endpoint);
    }

    ShardReader reader(Duration timeout) {
        return new DynamoShards(client(), TableSchema.TABLE, timeout);
    }

    DynamoLaneReader lanes(Duration timeout) {
        return new DynamoLaneReader(new DynamoItemReader(client(), TableSchema.TABLE, timeout));
    }

    private AwsJsonClient client() {
        return new AwsJsonClientFactory(vertx, NetworkSettings.direct(), Runnable::run, Clock.systemUTC())
                .dynamoDb(sdk, CONNECTIONS);
    }

    @Override
    public void close() {
        sdk.close();
    }
}
