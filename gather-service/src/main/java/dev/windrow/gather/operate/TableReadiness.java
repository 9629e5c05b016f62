package dev.windrow.gather.operate;

import java.time.Duration;
import java.util.concurrent.TimeoutException;

import jakarta.enterprise.context.ApplicationScoped;

import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;
import org.jspecify.annotations.Nullable;

import dev.windrow.aws.AwsErrors;
import dev.windrow.gather.fanout.GatherConfig;
import dev.windrow.table.TableSchema;
import io.smallrye.health.api.AsyncHealthCheck;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableResponse;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;

/**
 * Ready unless the table or its index is missing. Queries need neither DynamoDB's control plane nor the permission to
 * describe the table: while it cannot be described, the last known state holds, and at first {@link WarmUp} alone decides.
 */
@Readiness
@ApplicationScoped
class TableReadiness implements AsyncHealthCheck {

    private static final String NAME = "table";
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final DynamoDbAsyncClient client;
    private final String table;
    private volatile @Nullable Uni<HealthCheckResponse> running;
    private volatile boolean missing;
    private volatile boolean described;

    TableReadiness(DynamoDbAsyncClient client, GatherConfig config) {
        this.client = client;
        this.table = config.table();
    }

    @Override
    public Uni<HealthCheckResponse> call() {
        return description().ifNoItem().after(PATIENCE)
                .recoverWithItem(() -> notDescribed(new TimeoutException("no answer in time")));
    }

    /** One for all probes, on a worker: the SDK may wait for credentials before it returns. */
    private synchronized Uni<HealthCheckResponse> description() {
        Uni<HealthCheckResponse> known = running;
        if (known != null) {
            return known;
        }
        Uni<HealthCheckResponse> begun = Uni.createFrom()
                .completionStage(() -> client.describeTable(request -> request.tableName(table)))
                .onItem().transform(this::described)
                .onFailure().recoverWithItem(this::notDescribed)
                .onTermination().invoke(() -> running = null)
                .runSubscriptionOn(Infrastructure.getDefaultWorkerPool()).memoize().indefinitely();
        running = begun;
        begun.subscribe().with(ended -> {
        });
        return begun;
    }

    /** Whether the table or its index was missing when DynamoDB last answered. */
    boolean isMissing() {
        return missing;
    }

    /** Whether this role was ever allowed to describe the table. */
    boolean isDescribed() {
        return described;
    }

    private HealthCheckResponse described(DescribeTableResponse response) {
        described = true;
        boolean active = response.table().tableStatus() == TableStatus.ACTIVE
                || response.table().tableStatus() == TableStatus.UPDATING;
        boolean indexed = response.table().globalSecondaryIndexes().stream()
                .anyMatch(index -> index.indexName().equals(TableSchema.INDEX));
        missing = !active || !indexed;
        return HealthCheckResponse.named(NAME).status(!missing).withData("name", table)
                .withData("status", response.table().tableStatusAsString()).withData("index", indexed).build();
    }

    private HealthCheckResponse notDescribed(Throwable failure) {
        if (AwsErrors.cause(failure) instanceof ResourceNotFoundException) {
            missing = true;
        }
        return HealthCheckResponse.named(NAME).status(!missing).withData("name", table)
                .withData("reason", AwsErrors.reason(failure).word())
                .withData("error", String.valueOf(failure.getMessage())).build();
    }
}
