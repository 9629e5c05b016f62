package dev.windrow.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;

import dev.windrow.aws.NetworkSettings;
import dev.windrow.local.fault.Fault;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.local.fault.FaultProxy;
import dev.windrow.testing.Patience;
import dev.windrow.writer.WriterWiring.AwsClients;
import io.netty.channel.nio.NioEventLoopGroup;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.ListTablesResponse;

class AwsClientsTest {

    private static final NioEventLoopGroup EVENT_LOOPS = new NioEventLoopGroup(1);
    private static final Duration PATIENCE = Patience.LIMIT;
    /** As many as the client has. */
    private static final int CONNECTIONS = 16;
    /** Nothing listens there: the proxy answers itself. */
    private static final URI NOWHERE = URI.create("http://127.0.0.1:9");

    @AfterAll
    static void stopEventLoops() {
        EVENT_LOOPS.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    @Tag("slow")
    @Test
    void connectionsOfRequestsThatWereGivenUpServeAgain() {
        // Given: a table that takes requests and never answers
        Fault hang = new Fault.Hang(new CompletableFuture<>());
        Fault answer = new Fault.Answer("tables", 200, Map.of(),
                JsonNodeFactory.instance.objectNode().set("TableNames", JsonNodeFactory.instance.arrayNode()));
        try (FaultProxy proxy = FaultProxy.start(NOWHERE, FaultPlan.always(hang));
                DynamoDbAsyncClient client = client(proxy)) {
            List<CompletableFuture<Boolean>> asked = new ArrayList<>();
            await().atMost(PATIENCE).until(() -> {
                asked.add(isAnswered(client));
                return proxy.audit().faults("hang") >= CONNECTIONS;
            });
            assertThat(asked.stream().map(CompletableFuture::join)).containsOnly(false);

            // When: it answers new requests again, and still none of the old ones
            proxy.use(FaultPlan.always(answer));

            // Then
            await().atMost(PATIENCE).until(() -> isAnswered(client).join());
        }
    }

    private static CompletableFuture<Boolean> isAnswered(DynamoDbAsyncClient client) {
        return client.listTables().thenApply(ListTablesResponse::hasTableNames).exceptionally(failure -> false);
    }

    private static DynamoDbAsyncClient client(FaultProxy proxy) {
        return new AwsClients(EVENT_LOOPS).dynamoDb(DynamoDbAsyncClient.builder().endpointOverride(proxy.endpoint())
                .region(Region.EU_CENTRAL_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("windrow", "local"))),
                NetworkSettings.direct(), Optional.of(proxy.endpoint()));
    }
}
