package dev.windrow.writer.table;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import dev.windrow.aws.AwsJsonClient;
import dev.windrow.aws.AwsJsonClientFactory;
import dev.windrow.aws.AwsResponse;
import dev.windrow.aws.NetworkSettings;
import dev.windrow.base.Reason;
import dev.windrow.local.TestClients;
import dev.windrow.local.fault.ErrorCases;
import dev.windrow.local.fault.ErrorCases.ErrorCase;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.local.fault.FaultProxy;
import dev.windrow.testing.Patience;
import dev.windrow.writer.table.TableWrites.ConditionFailedException;
import dev.windrow.writer.table.TableWrites.TableWrite;
import dev.windrow.writer.table.TableWrites.WriteFailedException;
import io.vertx.core.Vertx;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;

/** The reasons of failed writes, and what is known of a cancelled transaction by the reasons of its items. */
class TableErrorsTest {

    private static final Duration PATIENCE = Patience.LIMIT;
    /** Nothing listens there: the proxy answers by itself. */
    private static final URI NOWHERE = URI.create("http://127.0.0.1:9");
    private static final ItemUpdate UPDATE = new ItemUpdate("p", "s");
    private static final Map<String, AttributeValue> ITEM = Map.of("n", AttributeValue.fromN("1"));

    private static FaultProxy proxy;
    private static Vertx vertx;
    private static DynamoDbAsyncClient sdk;
    private static AwsJsonClient client;

    @BeforeAll
    static void start() {
        proxy = FaultProxy.start(NOWHERE, FaultPlan.none());
        vertx = Vertx.vertx();
        sdk = TestClients.dynamoDb(proxy.endpoint());
        client = new AwsJsonClientFactory(vertx, NetworkSettings.direct(), Runnable::run, Clock.systemUTC()).dynamoDb(sdk, 4);
    }

    @AfterAll
    static void stop() {
        sdk.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
        proxy.close();
    }

    static List<ErrorCase> errors() {
        return ErrorCases.dynamoDb();
    }

    @ParameterizedTest
    @MethodSource("errors")
    void anErrorHasTheReasonOfTheContract(ErrorCase error) {
        proxy.use(FaultPlan.always(error.fault()));
        TableWrites table = new DynamoTable(client, "t", error.requestTimeout());
        for (TableWrite write : List.of(TableWrite.single(UPDATE), TableWrite.transaction(List.of(UPDATE)))) {
            WriteFailedException failure = catchThrowableOfType(WriteFailedException.class,
                    () -> table.write(write).await().atMost(PATIENCE));

            assertThat(failure).isNotNull();
            assertThat(failure.reason()).isEqualTo(error.reason());
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "none", value = {
            "[{'reason':'IndexWriteKeyRangeThroughputExceeded','resource':'arn:aws:dynamodb:x:1:table/t/index/scatter'}] | true | scatter",
            "[{'resource':'t','reason':'TableWriteKeyRangeThroughputExceeded'}] | true | table",
            "[{'reason':'TableWriteKeyRangeThroughputExceeded'},{'reason':'TableWriteAccountLimitExceeded'}] | false | unknown",
            "[{'reason':'TableWriteProvisionedThroughputExceeded'}] | false | unknown",
            "[] | false | unknown", "[{'reason':3}] | false | unknown", "'odd' | false | unknown",
            "null | false | unknown",
    })
    void aThrottleSaysWhatIsThrottled(String reasons, boolean forKey, String resource)
            throws IOException {
        String body = "{\"__type\":\"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException\","
                + "\"message\":\"slow down\",\"ThrottlingReasons\":" + reasons.replace('\'', '"') + "}";

        RuntimeException failure = DynamoTable.failure(new AwsResponse(400, body.getBytes(UTF_8)));

        assertThat(failure).isInstanceOfSatisfying(WriteFailedException.class, throttled -> {
            assertThat(throttled.reason()).isEqualTo(Reason.THROTTLED);
            assertThat(throttled.isForKey()).isEqualTo(forKey);
            assertThat(throttled.throttled()).isEqualTo(resource);
        });
    }

    @ParameterizedTest
    @CsvSource({ "TransactionConflict,CONTENTION", "ThrottlingError,THROTTLED", "ProvisionedThroughputExceeded,THROTTLED",
            "ValidationError,REFUSED", "SomethingNew,UNKNOWN_ERROR" })
    void aFailedConditionSaysNothingWhileTheFirstItemIsUndecided(String code, Reason expected) {
        // Given
        List<CancellationReason> reasons = List.of(reason(code), reason("None"), conditionFailed());

        // When
        RuntimeException failure = DynamoTable.cancelled(reasons, "cancelled");

        // Then
        assertThat(failure).isInstanceOfSatisfying(WriteFailedException.class, failed -> {
            assertThat(failed.reason()).isEqualTo(expected);
            assertThat(failed.position()).isZero();
        });
    }

    @Test
    void aFailedConditionCountsBesideAConflictOfAnotherItem() {
        assertThat(DynamoTable.cancelled(List.of(reason("None"), reason("TransactionConflict"), conditionFailed()),
                "cancelled")).isInstanceOfSatisfying(ConditionFailedException.class,
                        failed -> assertThat(failed.items()).isEqualTo(Map.of(2, ITEM)));
    }

    @Test
    void aFailedConditionOfTheFirstItemCountsWhateverTheOthersMeet() {
        assertThat(DynamoTable.cancelled(List.of(conditionFailed(), reason("TransactionConflict"), conditionFailed()),
                "cancelled")).isInstanceOfSatisfying(ConditionFailedException.class,
                        failed -> assertThat(failed.items()).isEqualTo(Map.of(0, ITEM, 2, ITEM)));
    }

    @Test
    void withoutAFailedConditionTheFirstOtherReasonCounts() {
        assertThat(DynamoTable.cancelled(List.of(reason("None"), reason("ThrottlingError"), reason("ValidationError")),
                "cancelled")).isInstanceOfSatisfying(WriteFailedException.class, failed -> {
                    assertThat(failed.reason()).isEqualTo(Reason.THROTTLED);
                    assertThat(failed.position()).isEqualTo(1);
                });
    }

    @Test
    void withoutReasonsTheTableIsUnavailable() {
        assertThat(DynamoTable.cancelled(List.of(), "cancelled")).isInstanceOfSatisfying(WriteFailedException.class,
                failed -> {
                    assertThat(failed.reason()).isEqualTo(Reason.UNAVAILABLE);
                    assertThat(failed.detail()).isEqualTo("cancelled");
                });
    }

    private static CancellationReason reason(String code) {
        return CancellationReason.builder().code(code).message("as DynamoDB says it").build();
    }

    private static CancellationReason conditionFailed() {
        return CancellationReason.builder().code("ConditionalCheckFailed").item(ITEM).build();
    }
}
