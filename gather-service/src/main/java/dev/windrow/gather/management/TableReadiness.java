package dev.windrow.gather.management;

import java.time.Duration;

import jakarta.enterprise.context.ApplicationScoped;

import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

import dev.windrow.gather.fanout.TableConfig;
import dev.windrow.table.TableSchema;
import io.smallrye.health.api.AsyncHealthCheck;
import io.smallrye.mutiny.Uni;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableResponse;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;

/** Ready when the table and its index exist. */
@Readiness
@ApplicationScoped
class TableReadiness implements AsyncHealthCheck {

    private static final String NAME = "table";
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final DynamoDbAsyncClient client;
    private final String table;

    TableReadiness(DynamoDbAsyncClient client, TableConfig config) {
        this.client = client;
        this.table = config.table();
    }

    @Override
    public Uni<HealthCheckResponse> call() {
        return Uni.createFrom().completionStage(() -> client.describeTable(request -> request.tableName(table)))
                .ifNoItem().after(PATIENCE).fail()
                .onItem().transform(this::response)
                .onFailure().recoverWithItem(failure -> HealthCheckResponse.named(NAME).down()
                        .withData("name", table).withData("error", String.valueOf(failure.getMessage())).build());
    }

    private HealthCheckResponse response(DescribeTableResponse described) {
        boolean active = described.table().tableStatus() == TableStatus.ACTIVE
                || described.table().tableStatus() == TableStatus.UPDATING;
        boolean indexed = described.table().globalSecondaryIndexes().stream()
                .anyMatch(index -> index.indexName().equals(TableSchema.INDEX));
        return HealthCheckResponse.named(NAME).status(active && indexed).withData("name", table)
                .withData("status", described.table().tableStatusAsString()).withData("index", indexed).build();
    }
}
