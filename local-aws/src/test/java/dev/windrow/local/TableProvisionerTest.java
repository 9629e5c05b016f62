package dev.windrow.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import dev.windrow.base.Reason;
import dev.windrow.provision.TableProvisioner;
import dev.windrow.provision.TableProvisioner.Outcome;
import dev.windrow.provision.TableProvisioner.ProvisionException;
import dev.windrow.provision.TableSpec;
import dev.windrow.provision.WaiterPolicy;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughput;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;

/** {@link TableProvisioner} against the real DynamoDB Local. */
class TableProvisionerTest {

    @AutoClose
    private static LocalAws aws;
    private static TableProvisioner provisioner;

    @BeforeAll
    static void start() {
        aws = LocalAws.start(LocalAwsOptions.forTests().withoutProvisioning());
        provisioner = new TableProvisioner(aws.dynamoDb(), new WaiterPolicy(Duration.ofMillis(20), 6_000));
    }

    @Test
    void createsTheTableWithKeysIndexAndExpiry() {
        assertThat(provisioner.provision(TableSpec.named("created"))).isEqualTo(Outcome.CREATED);

        TableDescription table = describe("created");
        assertThat(table.keySchema()).containsExactly(key("pk", KeyType.HASH), key("sk", KeyType.RANGE));
        assertThat(table.attributeDefinitions()).containsExactlyInAnyOrder(text("pk"), text("sk"), text("ipk"), text("isk"));
        assertThat(table.billingModeSummary().billingMode()).isEqualTo(BillingMode.PAY_PER_REQUEST);
        assertThat(table.globalSecondaryIndexes()).singleElement().satisfies(index -> {
            assertThat(index.indexName()).isEqualTo("scatter");
            assertThat(index.keySchema()).containsExactly(key("ipk", KeyType.HASH), key("isk", KeyType.RANGE));
            assertThat(index.projection().projectionType()).isEqualTo(ProjectionType.ALL);
        });
        TimeToLiveDescription expiry = expiry("created");
        assertThat(expiry.timeToLiveStatus()).isEqualTo(TimeToLiveStatus.ENABLED);
        assertThat(expiry.attributeName()).isEqualTo("ttl");
        assertThat(provisioner.provision(TableSpec.named("created"))).isEqualTo(Outcome.UNCHANGED);
    }

    @Test
    void givesTheIndexOfALeaderboardAsMuchCapacityAsIsSetAsideForTheTable() {
        // Given a table with provisioned capacity.
        ProvisionedThroughput capacity = ProvisionedThroughput.builder().readCapacityUnits(7L).writeCapacityUnits(5L).build();
        create("provisioned", table -> table.billingMode(BillingMode.PROVISIONED).provisionedThroughput(capacity)
                .globalSecondaryIndexes(table.build().globalSecondaryIndexes().get(0).toBuilder()
                        .provisionedThroughput(capacity).build()));

        // When a measure is ranked.
        provisioner.provision(new TableSpec("provisioned", Set.of("best")));

        // Then
        assertThat(describe("provisioned").globalSecondaryIndexes())
                .filteredOn(index -> index.indexName().equals("rank-best")).singleElement().satisfies(index -> {
                    assertThat(index.provisionedThroughput().readCapacityUnits()).isEqualTo(7);
                    assertThat(index.provisionedThroughput().writeCapacityUnits()).isEqualTo(5);
                });
    }

    @Test
    void createsOneTableWhenManyProvisionAtOnce() {
        List<CompletableFuture<Outcome>> all = Stream.generate(() -> TableSpec.named("contended")).limit(8)
                .map(spec -> CompletableFuture.supplyAsync(() -> provisioner.provision(spec))).toList();

        // Whoever finds the table before its expiry is on turns that on, so any outcome but a second CREATED is right.
        assertThat(all.stream().map(CompletableFuture::join)).containsOnlyOnce(Outcome.CREATED);
        assertThat(expiry("contended").timeToLiveStatus()).isEqualTo(TimeToLiveStatus.ENABLED);
    }

    @Test
    void turnsExpiryOnWhenTheTableIsThereWithoutIt() {
        create("no-expiry", table -> {
        });
        assertThat(provisioner.provision(TableSpec.named("no-expiry"))).isEqualTo(Outcome.COMPLETED);
        assertThat(expiry("no-expiry").attributeName()).isEqualTo("ttl");
    }

    @Test
    void tellsOtherKeys() {
        create("other-keys", table -> table
                .attributeDefinitions(text("id"), text("sk").toBuilder().attributeType(ScalarAttributeType.N).build(),
                        text("ipk"), text("isk"))
                .keySchema(key("id", KeyType.HASH), key("sk", KeyType.RANGE)));

        assertMismatch("other-keys", "expected table key pk (HASH, S), sk (RANGE, S), found id (HASH, S), sk (RANGE, N)");
    }

    @Test
    void tellsAMissingIndex() {
        create("no-index", table -> table.attributeDefinitions(text("pk"), text("sk"))
                .globalSecondaryIndexes((List<GlobalSecondaryIndex>) null));

        assertMismatch("no-index", "expected a global secondary index 'scatter', found none");
    }

    @Test
    void tellsAnotherIndexKeyAndProjection() {
        create("other-index", table -> table.attributeDefinitions(text("pk"), text("sk"), text("ipk"))
                .globalSecondaryIndexes(GlobalSecondaryIndex.builder().indexName("scatter")
                        .keySchema(key("ipk", KeyType.HASH), key("sk", KeyType.RANGE))
                        .projection(projection -> projection.projectionType(ProjectionType.KEYS_ONLY)).build()));

        assertMismatch("other-index",
                "expected key of index 'scatter' ipk (HASH, S), isk (RANGE, S), found ipk (HASH, S), sk (RANGE, S)",
                "expected index 'scatter' to project ALL, found KEYS_ONLY");
    }

    @Test
    void tellsExpiryOnAnotherAttribute() {
        create("other-expiry", table -> {
        });
        aws.dynamoDb().updateTimeToLive(request -> request.tableName("other-expiry")
                .timeToLiveSpecification(expiry -> expiry.attributeName("expires").enabled(true))).join();

        assertMismatch("other-expiry", "expected time to live on attribute 'ttl', found 'expires'");
    }

    private static void assertMismatch(String table, String... problems) {
        assertThatThrownBy(() -> provisioner.provision(TableSpec.named(table)))
                .isInstanceOfSatisfying(ProvisionException.class, failure -> {
                    assertThat(failure.reason()).isEqualTo(Reason.SCHEMA_MISMATCH);
                    assertThat(failure).hasMessage("table " + table + ": schema-mismatch: " + String.join("; ", problems));
                });
    }

    /** A table of the right form, but for what is changed. */
    private static void create(String name, Consumer<CreateTableRequest.Builder> change) {
        CreateTableRequest.Builder table = CreateTableRequest.builder().tableName(name)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(text("pk"), text("sk"), text("ipk"), text("isk"))
                .keySchema(key("pk", KeyType.HASH), key("sk", KeyType.RANGE))
                .globalSecondaryIndexes(GlobalSecondaryIndex.builder().indexName("scatter")
                        .keySchema(key("ipk", KeyType.HASH), key("isk", KeyType.RANGE))
                        .projection(projection -> projection.projectionType(ProjectionType.ALL)).build());
        change.accept(table);
        aws.dynamoDb().createTable(table.build()).join();
    }

    private static TableDescription describe(String table) {
        return aws.dynamoDb().describeTable(request -> request.tableName(table)).join().table();
    }

    private static TimeToLiveDescription expiry(String table) {
        return aws.dynamoDb().describeTimeToLive(request -> request.tableName(table)).join().timeToLiveDescription();
    }

    private static KeySchemaElement key(String name, KeyType type) {
        return KeySchemaElement.builder().attributeName(name).keyType(type).build();
    }

    private static AttributeDefinition text(String name) {
        return AttributeDefinition.builder().attributeName(name).attributeType(ScalarAttributeType.S).build();
    }
}
