package dev.windrow.gather.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

import org.eclipse.microprofile.health.HealthCheckResponse;
import org.jboss.logmanager.LogContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.windrow.dataset.DatasetShape;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.gather.fanout.GatherConfig;
import dev.windrow.gather.read.ItemReader;
import dev.windrow.gather.read.ItemReader.Items;
import dev.windrow.gather.read.RegisteredDatasets;
import dev.windrow.table.TableSchema;
import dev.windrow.testing.LogLines;
import dev.windrow.testing.Patience;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.helpers.test.UniAssertSubscriber;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;

/** Probes of a table whose description is scripted. */
class TableReadinessTest {

    private final ScriptedTable dynamoDb = new ScriptedTable();
    private final TableReadiness readiness = new TableReadiness(dynamoDb, new SmallRyeConfigBuilder()
            .addDiscoveredConverters().withMapping(GatherConfig.class).withDefaultValue("windrow.table", "counts")
            .withDefaultValue("windrow.datasets-file", "datasets.yaml").build().getConfigMapping(GatherConfig.class));

    /** Failures that say nothing about the table. */
    static Stream<Throwable> failuresOfTheControlPlane() {
        return Stream.of(error("AccessDeniedException", 400), error("ThrottlingException", 400),
                error("InternalServerError", 500), SdkClientException.create("no connection"),
                ApiCallTimeoutException.create(1));
    }

    @ParameterizedTest
    @MethodSource("failuresOfTheControlPlane")
    void staysReadyWhileTheTableCannotBeDescribed(Throwable failure) {
        // Given
        dynamoDb.describes(TableStatus.ACTIVE, TableSchema.INDEX);
        assertThat(status()).isEqualTo(HealthCheckResponse.Status.UP);

        // When
        dynamoDb.fails(failure);

        // Then
        assertThat(status()).isEqualTo(HealthCheckResponse.Status.UP);
        assertThat(readiness.isMissing()).isFalse();
    }

    /** The warm-up checks whether queries are answered. */
    @ParameterizedTest
    @MethodSource("failuresOfTheControlPlane")
    void doesNotWaitForADescriptionThatNeverComes(Throwable failure) {
        dynamoDb.fails(failure);

        assertThat(status()).isEqualTo(HealthCheckResponse.Status.UP);
    }

    /** A rollout must not replace gatherers that answer. */
    @Test
    void isNotReadyWhileTheTableWasWrittenWithOtherKeysOfEveryDataset() {
        // Given
        Datasets declared = clicks("page");
        String other = DatasetShape.of(clicks("page, user").all().get(0), List.of()).text();
        ItemReader items = (keys, attributes, consistent) -> Uni.createFrom()
                .item(new Items(List.of(Map.of(TableSchema.datasetAttribute("clicks"), other)), 1));
        WarmUp warmUp = new WarmUp(null, declared, Clock.systemUTC(), readiness,
                new RegisteredDatasets(items, declared, System::nanoTime, Duration.ZERO, Patience.LIMIT,
                        Infrastructure.getDefaultWorkerPool()));

        try (LogLines lines = LogLines.of(LogContext.getLogContext().getLogger(WarmUp.class.getName()))) {

            // When
            warmUp.begin(new StartupEvent());

            // Then
            assertThat(warmUp.isWarm()).isFalse();
            assertThat(lines.all()).first().asString().contains("reason=schema-mismatch");
        }
        warmUp.end(new ShutdownEvent());
    }

    private static Datasets clicks(String label) {
        return DatasetsYaml.parse("test", """
                windrow:
                  datasets:
                    clicks: {event-type: click, label: [%s], granularities: [hour], measures: {clicks: {type: count}}}
                """.formatted(label));
    }

    @Test
    void saysWhyTheTableCannotBeDescribed() {
        dynamoDb.fails(error("AccessDeniedException", 400));

        assertThat(probe().getData()).hasValueSatisfying(data -> assertThat(data).containsEntry("reason", "access-denied")
                .containsEntry("name", "counts").containsKey("error"));
    }

    @Test
    void isDownWhileTheTableIsMissingAlsoWhereItCannotBeDescribedAnyMore() {
        // Given
        dynamoDb.describes(TableStatus.ACTIVE, TableSchema.INDEX);
        assertThat(status()).isEqualTo(HealthCheckResponse.Status.UP);

        // When
        dynamoDb.fails(ResourceNotFoundException.builder().message("no such table").build());

        // Then
        assertThat(status()).isEqualTo(HealthCheckResponse.Status.DOWN);
        dynamoDb.fails(error("ThrottlingException", 400));
        assertThat(status()).isEqualTo(HealthCheckResponse.Status.DOWN);
        assertThat(readiness.isMissing()).isTrue();

        // When the table exists again
        dynamoDb.describes(TableStatus.UPDATING, TableSchema.INDEX);

        // Then
        assertThat(status()).isEqualTo(HealthCheckResponse.Status.UP);
    }

    @Test
    void isDownWhileTheTableHasNoSuchIndexOrIsNotActive() {
        dynamoDb.describes(TableStatus.ACTIVE, "other");
        assertThat(status()).isEqualTo(HealthCheckResponse.Status.DOWN);

        dynamoDb.describes(TableStatus.CREATING, TableSchema.INDEX);
        assertThat(status()).isEqualTo(HealthCheckResponse.Status.DOWN);
    }

    /** Probes share an event loop with others, liveness among them, and the SDK waits for credentials before it returns. */
    @Test
    void holdsUpNoThreadWhileCredentialsDoNotCome() {
        // Given
        CountDownLatch credentials = new CountDownLatch(1);
        dynamoDb.describes(TableStatus.ACTIVE, "other");
        dynamoDb.waitsFor(credentials);

        // When
        UniAssertSubscriber<HealthCheckResponse> first = readiness.call().subscribe()
                .withSubscriber(UniAssertSubscriber.create());
        first.assertNotTerminated();

        // Then
        assertThat(first.awaitItem(Patience.LIMIT).getItem().getStatus()).isEqualTo(HealthCheckResponse.Status.UP);
        credentials.countDown();
        await().atMost(Patience.LIMIT).until(readiness::isMissing);
        assertThat(status()).isEqualTo(HealthCheckResponse.Status.DOWN);
    }

    private HealthCheckResponse.Status status() {
        return probe().getStatus();
    }

    private HealthCheckResponse probe() {
        return readiness.call().await().indefinitely();
    }

    private static Throwable error(String code, int status) {
        return DynamoDbException.builder().statusCode(status).message(code)
                .awsErrorDetails(AwsErrorDetails.builder().errorCode(code).errorMessage(code).build()).build();
    }

    private static final class ScriptedTable implements DynamoDbAsyncClient {

        private volatile CountDownLatch credentials = new CountDownLatch(0);
        private CompletableFuture<DescribeTableResponse> answer = new CompletableFuture<>();

        void describes(TableStatus status, String index) {
            answer = CompletableFuture.completedFuture(DescribeTableResponse.builder().table(TableDescription.builder()
                    .tableStatus(status)
                    .globalSecondaryIndexes(GlobalSecondaryIndexDescription.builder().indexName(index).build())
                    .build()).build());
        }

        void waitsFor(CountDownLatch latch) {
            credentials = latch;
        }

        void fails(Throwable failure) {
            answer = CompletableFuture.failedFuture(new CompletionException(failure));
        }

        @Override
        public CompletableFuture<DescribeTableResponse> describeTable(DescribeTableRequest request) {
            try {
                credentials.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return answer;
        }

        @Override
        public String serviceName() {
            return SERVICE_NAME;
        }

        @Override
        public void close() {
            // Nothing to close.
        }
    }
}
