package dev.windrow.provision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.base.Reason;
import dev.windrow.provision.TableProvisioner.Outcome;
import dev.windrow.provision.TableProvisioner.ProvisionException;
import dev.windrow.provision.TableProvisioner.TableDefinition;
import dev.windrow.table.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableResponse;
import software.amazon.awssdk.services.dynamodb.model.DescribeTimeToLiveRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeTimeToLiveResponse;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.IndexStatus;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;

/** The wait for a table in AWS, which the embedded DynamoDB never shows: there, tables are active at once. */
class TableProvisionerWaitTest {

    private static final Duration INTERVAL = Duration.ofMillis(1);

    /** One question whether the table is there, and as many more until its last index is active. */
    @ParameterizedTest
    @CsvSource({ "4, 7, 0, 8", "0, 0, 9, 10" })
    void waitsUntilTableAndIndexesAreActive(int table, int index, int rank, int questions) {
        SlowDynamoDb dynamoDb = new SlowDynamoDb(table, index, rank);

        assertThat(provision(dynamoDb, new TableSpec("slow", rank == 0 ? Set.of() : Set.of("best")), 20))
                .isEqualTo(Outcome.UNCHANGED);
        assertThat(dynamoDb.questions).hasValue(questions);
    }

    @Test
    void givesUpWhenTheTableDoesNotBecomeActiveInTime() {
        SlowDynamoDb dynamoDb = new SlowDynamoDb(Integer.MAX_VALUE, Integer.MAX_VALUE, 0);

        assertThatThrownBy(() -> provision(dynamoDb, 5)).isInstanceOfSatisfying(ProvisionException.class, failure -> {
            assertThat(failure.reason()).isEqualTo(Reason.TIMED_OUT);
            assertThat(failure).hasMessage("table slow: timed-out: not active after 4ms");
        });
        assertThat(dynamoDb.questions).hasValue(6);
    }

    @Test
    void aTableIsUsableWhileTheIndexOfALeaderboardIsBuilt() {
        SlowDynamoDb dynamoDb = new SlowDynamoDb(0, 0, Integer.MAX_VALUE);

        assertThat(provision(dynamoDb, 5)).isEqualTo(Outcome.UNCHANGED);
        assertThatThrownBy(() -> provision(dynamoDb, new TableSpec("slow", Set.of("best")), 5))
                .isInstanceOfSatisfying(ProvisionException.class, failure -> {
                    assertThat(failure.reason()).isEqualTo(Reason.TIMED_OUT);
                    assertThat(failure).hasMessageContaining("index 'rank-best' is not active after")
                            .hasMessageContaining("top lists are read from index 'scatter' meanwhile");
                });
    }

    private static Outcome provision(DynamoDbAsyncClient dynamoDb, int questions) {
        return provision(dynamoDb, TableSpec.named("slow"), questions);
    }

    private static Outcome provision(DynamoDbAsyncClient dynamoDb, TableSpec table, int questions) {
        return new TableProvisioner(dynamoDb, new WaiterPolicy(INTERVAL, questions)).provision(table);
    }

    /** A table that exists, and becomes active after a number of polls; its indexes later. */
    private static final class SlowDynamoDb implements DynamoDbAsyncClient {

        private final AtomicInteger questions = new AtomicInteger();
        private final int tableActiveFrom;
        private final int indexActiveFrom;
        private final int rankActiveFrom;

        SlowDynamoDb(int tableActiveFrom, int indexActiveFrom, int rankActiveFrom) {
            this.rankActiveFrom = rankActiveFrom;
            this.tableActiveFrom = tableActiveFrom;
            this.indexActiveFrom = indexActiveFrom;
        }

        @Override
        public CompletableFuture<DescribeTableResponse> describeTable(DescribeTableRequest request) {
            int question = questions.getAndIncrement();
            CreateTableRequest form = TableDefinition.creation(new TableSpec(request.tableName(), Set.of("best")));
            TableDescription table = TableDescription.builder()
                    .tableStatus(question >= tableActiveFrom ? TableStatus.ACTIVE : TableStatus.CREATING)
                    .keySchema(form.keySchema()).attributeDefinitions(form.attributeDefinitions())
                    .globalSecondaryIndexes(form.globalSecondaryIndexes().stream().map(index -> {
                        int activeFrom = index.indexName().equals(TableSchema.INDEX) ? indexActiveFrom : rankActiveFrom;
                        return GlobalSecondaryIndexDescription.builder().indexName(index.indexName())
                                .indexStatus(question >= activeFrom ? IndexStatus.ACTIVE : IndexStatus.CREATING)
                                .keySchema(index.keySchema()).projection(index.projection()).build();
                    }).toList()).build();
            return CompletableFuture.completedFuture(DescribeTableResponse.builder().table(table).build());
        }

        @Override
        public CompletableFuture<DescribeTimeToLiveResponse> describeTimeToLive(DescribeTimeToLiveRequest request) {
            return CompletableFuture.completedFuture(DescribeTimeToLiveResponse.builder().timeToLiveDescription(
                    expiry -> expiry.attributeName(TableSchema.TTL).timeToLiveStatus(TimeToLiveStatus.ENABLED)).build());
        }

        @Override
        public String serviceName() {
            return SERVICE_NAME;
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }
}
