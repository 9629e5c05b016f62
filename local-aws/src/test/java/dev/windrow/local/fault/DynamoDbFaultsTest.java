package dev.windrow.local.fault;

import static dev.windrow.local.fault.DynamoDbBehindProxy.TABLE;
import static dev.windrow.local.fault.DynamoDbBehindProxy.increment;
import static dev.windrow.local.fault.DynamoDbBehindProxy.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.windrow.local.fault.Exchange.Cancellation;
import dev.windrow.testing.Seeds;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.InternalServerErrorException;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** The SDK must take the proxy's failures for those of DynamoDB. */
class DynamoDbFaultsTest extends ProxiedDynamoDbTest {

    @Test
    void isAnInternalServerError_withStatus500() {
        assertThat(failureOf(DynamoDbFaults.internalServerError())).isInstanceOf(InternalServerErrorException.class)
                .returns(500, DynamoDbException::statusCode);
    }

    @Test
    void isThrottling_whenThroughputIsExceeded() {
        assertThat(failureOf(DynamoDbFaults.throughputExceeded()))
                .isInstanceOf(ProvisionedThroughputExceededException.class)
                .returns(true, DynamoDbException::isThrottlingException);
    }

    @Test
    void isThrottling_whenTheServiceThrottles() {
        assertThat(failureOf(DynamoDbFaults.throttled())).returns(true, DynamoDbException::isThrottlingException)
                .returns(400, DynamoDbException::statusCode);
    }

    @Test
    void namesTheExpiredToken() {
        assertThat(failureOf(DynamoDbFaults.expiredToken()).awsErrorDetails().errorCode())
                .isEqualTo("ExpiredTokenException");
    }

    @ParameterizedTest
    @EnumSource
    void cancelsATransactionForOneItem(Cancellation cancellation) {
        // given
        proxy.use(request -> DynamoDbFaults.transactionCanceled(request, cancellation, 1));
        List<TransactWriteItem> writes = IntStream.range(0, 3)
                .mapToObj(i -> TransactWriteItem.builder()
                        .put(put -> put.tableName(TABLE).item(key(cancellation + "-" + i))).build())
                .toList();

        // when
        TransactionCanceledException failure = (TransactionCanceledException) catchThrowableOfType(
                CompletionException.class,
                () -> client.transactWriteItems(transaction -> transaction.transactItems(writes)).join()).getCause();

        // then
        assertThat(failure.cancellationReasons()).extracting(CancellationReason::code).containsExactly("None",
                cancellation.code(), "None");
        assertThat(failure).hasMessageContaining("[None, " + cancellation.code() + ", None]");
        assertThat(dynamoDb.counter(cancellation + "-0")).isZero();
    }

    @Test
    void cancelsATransactionForSeveralItems_withTheStateOfSome() {
        // given
        ObjectNode state = ProxiedRequest.JSON.createObjectNode();
        state.putObject("count").put("N", "7");
        proxy.use(request -> DynamoDbFaults.transactionCanceled(request,
                Map.of(0, Cancellation.CONFLICT, 2, Cancellation.CONDITION_FAILED), Map.of(2, state)));
        List<TransactWriteItem> writes = IntStream.range(0, 3)
                .mapToObj(i -> TransactWriteItem.builder().put(put -> put.tableName(TABLE).item(key("several-" + i))).build())
                .toList();

        // when
        TransactionCanceledException failure = (TransactionCanceledException) catchThrowableOfType(
                CompletionException.class,
                () -> client.transactWriteItems(transaction -> transaction.transactItems(writes)).join()).getCause();

        // then
        assertThat(failure.cancellationReasons()).extracting(CancellationReason::code).containsExactly(
                "TransactionConflict", "None", "ConditionalCheckFailed");
        assertThat(failure.cancellationReasons().get(2).item().get("count").n()).isEqualTo("7");
    }

    @Test
    void leavesItemsUnprocessed_andWritesTheOthers() {
        // given
        long seed = Seeds.seed("faults of DynamoDB");
        proxy.use(DynamoDbFaults.unprocessedItems(new Random(seed)));
        List<WriteRequest> writes = IntStream.range(0, 25)
                .mapToObj(i -> WriteRequest.builder().putRequest(put -> put.item(key("batch-" + i))).build()).toList();

        // when
        BatchWriteItemResponse answer = client
                .batchWriteItem(batch -> batch.requestItems(Map.of(TABLE, writes))).join();

        // then
        List<WriteRequest> left = answer.unprocessedItems().getOrDefault(TABLE, List.of());
        proxy.use(FaultPlan.none());
        assertThat(writes).containsAll(left).filteredOn(write -> !left.contains(write)).isNotEmpty()
                .allSatisfy(write -> assertThat(isStored(write)).isTrue());
        assertThat(left).noneMatch(this::isStored);
    }

    private boolean isStored(WriteRequest write) {
        return client.getItem(get -> get.tableName(TABLE).key(write.putRequest().item())).join().hasItem();
    }

    private DynamoDbException failureOf(Fault fault) {
        proxy.use(FaultPlan.always(fault));
        Throwable failure = catchThrowableOfType(CompletionException.class, () -> increment(client, "error").join());
        proxy.use(FaultPlan.none());
        assertThat(dynamoDb.counter("error")).isZero();
        return (DynamoDbException) failure.getCause();
    }
}
