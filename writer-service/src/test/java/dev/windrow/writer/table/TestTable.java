package dev.windrow.writer.table;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import dev.windrow.aws.AwsJsonClient;
import dev.windrow.aws.NetworkSettings;
import dev.windrow.signing.SigV4Signer;
import dev.windrow.signing.SignerCache;
import io.vertx.core.Vertx;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;

/** A table as the writer reaches it. */
final class TestTable {

    private static final int CONNECTIONS = 64;

    private TestTable() {
    }

    static DynamoTable table(Vertx vertx, URI endpoint, String name, Duration timeout) {
        SignerCache signers = new SignerCache(() -> CompletableFuture
                .completedFuture(AwsBasicCredentials.create("windrow", "windrow")),
                identity -> new SigV4Signer(identity, "dynamodb", "us-east-1", "/"), Runnable::run,
                Clock.systemUTC(), failure -> {
                });
        return new DynamoTable(new AwsJsonClient(vertx, endpoint, NetworkSettings.direct(), CONNECTIONS, signers,
                Clock.systemUTC()), name, timeout);
    }
}
