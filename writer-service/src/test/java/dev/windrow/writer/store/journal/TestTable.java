package dev.windrow.writer.store.journal;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import dev.windrow.signing.SigV4Signer;
import dev.windrow.signing.SignerCache;
import dev.windrow.table.TableSchema;
import dev.windrow.aws.AwsJsonClient;
import dev.windrow.aws.AwsEndpoint;
import dev.windrow.writer.store.DynamoTableWrites;
import dev.windrow.writer.store.ItemUpdate;
import dev.windrow.writer.store.TableWrites;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A table by the wire that counts write units by DynamoDB's rules, from the sizes of the items that were written. */
final class TestTable {

    private static final int UNIT_BYTES = 1_024;
    private static final int SPARE_CONNECTIONS = 64;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final DynamoTableWrites table;
    private final JournalTable journal;
    private double claimUnits;
    private double bucketUnits;

    TestTable(Vertx vertx, URI endpoint, String name) {
        this.table = table(vertx, endpoint, name, TIMEOUT);
        TableWrites counting = write -> table.write(write).call(() -> Multi.createFrom().iterable(write.updates())
                .onItem().transformToUniAndConcatenate(update -> count(update, write.transactional())).collect().asList());
        this.journal = new JournalTable(counting, counting, table);
    }

    /** A table without more. */
    static DynamoTableWrites table(Vertx vertx, URI endpoint, String name, Duration timeout) {
        AwsEndpoint wire = new AwsEndpoint("dynamodb", "us-east-1", endpoint);
        SignerCache signers = new SignerCache(() -> CompletableFuture
                .completedFuture(AwsBasicCredentials.create("windrow", "windrow")),
                identity -> new SigV4Signer(identity, "dynamodb", "us-east-1", wire.path()), Runnable::run,
                Clock.systemUTC(), failure -> {
                });
        return new DynamoTableWrites(new AwsJsonClient(vertx, wire, SPARE_CONNECTIONS, signers, Clock.systemUTC()), name,
                timeout);
    }

    JournalTable journal() {
        return journal;
    }

    synchronized double claimUnits() {
        return claimUnits;
    }

    synchronized double bucketUnits() {
        return bucketUnits;
    }

    private Uni<Void> count(ItemUpdate update, boolean transactional) {
        return table.read(update.partitionKey(), update.sortKey()).invoke(item -> add(item, transactional))
                .replaceWithVoid();
    }

    /** A unit for each 1 KB of the item, twice in a transaction; and as many for its copy in the index. */
    private synchronized void add(Map<String, AttributeValue> item, boolean transactional) {
        int size = item.entrySet().stream().mapToInt(entry -> entry.getKey().length() + size(entry.getValue())).sum();
        double units = Math.ceil((double) size / UNIT_BYTES);
        if (item.containsKey(TableSchema.INDEX_PK)) {
            bucketUnits += units;
        }
        if (item.get(TableSchema.PK).s().startsWith("~")) {
            claimUnits += transactional ? 2 * units : units;
        } else {
            bucketUnits += transactional ? 2 * units : units;
        }
    }

    /** Numbers take a byte for two digits and one more; each value of a set its length. */
    private static int size(AttributeValue value) {
        if (value.n() != null) {
            return value.n().length() / 2 + 2;
        }
        if (value.b() != null) {
            return value.b().asByteArrayUnsafe().length;
        }
        return value.s() == null ? value.bs().stream().mapToInt(id -> id.asByteArrayUnsafe().length).sum()
                : value.s().length();
    }
}
