package dev.windrow.local.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.local.TestClients;
import dev.windrow.table.TableSchema;
import dev.windrow.testing.Patience;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Whether a write is applied or lost, and what the proxy counts: what tests of faults cannot see by themselves. */
class FaultProxyTest {

    private static final Duration NEVER = Duration.ofDays(1);

    @AutoClose
    private static LocalAws aws;

    @AutoClose
    private final FaultProxy proxy = FaultProxy.start(aws.dynamoDbEndpoint(), FaultPlan.none());
    @AutoClose
    private final DynamoDbAsyncClient client = TestClients.dynamoDbWithoutRetries(proxy.endpoint());

    @BeforeAll
    static void startServers() {
        aws = LocalAws.start(LocalAwsOptions.forTests());
    }

    @Test
    void answersAsTheServerDoes_whenNothingIsPlanned() {
        increment(client, "pass").join();
        increment(client, "pass").join();

        assertThat(counter("pass")).isEqualTo(2);
        assertThat(proxy.audit().requests()).isEqualTo(Map.of("UpdateItem", 2L));
        assertThat(proxy.audit().faults()).isEqualTo(Map.of("pass", 2L));
        await().atMost(Patience.LIMIT).until(() -> proxy.audit().inFlight() == 0);
        assertThat(proxy.audit().abandoned()).isZero();
    }

    @Test
    void losesTheAnswerButNotTheWrite_whenCutAfterApplyingEvenIfDelayedBefore() {
        proxy.use(FaultPlan.always(new Fault.DelayBefore(Duration.ofMillis(1), new Fault.CutAfter())));

        CompletableFuture<?> lost = increment(client, "cut-after");

        assertThatThrownBy(lost::join).hasCauseInstanceOf(SdkClientException.class);
        assertThat(counter("cut-after")).isEqualTo(1);
        assertThat(proxy.audit().faults()).isEqualTo(Map.of("delay-before+cut-after", 1L));
        assertThat(proxy.audit().inFlight()).isZero();
    }

    @Test
    void losesTheWrite_whenCutBefore() {
        proxy.use(FaultPlan.always(new Fault.CutBefore()));

        CompletableFuture<?> lost = increment(client, "cut-before");

        assertThatThrownBy(lost::join).hasCauseInstanceOf(SdkClientException.class);
        assertThat(counter("cut-before")).isZero();
    }

    @Test
    void writesAtOnceAndKeepsTheAnswer_whenDelayedAfter() {
        proxy.use(FaultPlan.always(new Fault.DelayAfter(NEVER)));

        CompletableFuture<?> late = increment(client, "delay-after");

        await().atMost(Patience.LIMIT).until(() -> counter("delay-after") == 1);
        assertThat(late).isNotDone();
        assertThat(proxy.audit().inFlight()).isEqualTo(1);
    }

    @Test
    void countsARequestAsAbandoned_whenItsClientGoesAway() throws IOException {
        proxy.use(FaultPlan.always(new Fault.DelayBefore(NEVER, new Fault.Pass())));
        try (Socket leaving = new Socket("127.0.0.1", proxy.endpoint().getPort())) {
            leaving.getOutputStream().write("""
                    POST / HTTP/1.1\r
                    Host: dynamodb\r
                    X-Amz-Target: DynamoDB_20120810.ListTables\r
                    Content-Length: 2\r
                    \r
                    {}""".getBytes(StandardCharsets.US_ASCII));
            await().atMost(Patience.LIMIT).until(() -> proxy.audit().inFlight() == 1);
        }

        await().atMost(Patience.LIMIT).until(() -> proxy.audit().inFlight() == 0);
        assertThat(proxy.audit().abandoned()).isEqualTo(1);
        assertThat(proxy.audit().requests()).isEqualTo(Map.of("ListTables", 1L));
    }

    @Test
    void failsTheTestWhenClosed_ifThePlanItselfFailed() {
        FaultProxy failing = FaultProxy.start(aws.dynamoDbEndpoint(), request -> {
            throw new IllegalArgumentException("of the plan");
        });

        try (DynamoDbAsyncClient cut = TestClients.dynamoDbWithoutRetries(failing.endpoint())) {
            assertThatThrownBy(() -> increment(cut, "plan").join()).hasCauseInstanceOf(SdkClientException.class);
        }

        assertThatThrownBy(failing::close).isInstanceOf(IllegalStateException.class).hasRootCauseMessage("of the plan");
    }

    private static CompletableFuture<?> increment(DynamoDbAsyncClient client, String pk) {
        return client.updateItem(update -> update.tableName(aws.tableName()).key(key(pk)).updateExpression("ADD n :one")
                .expressionAttributeValues(Map.of(":one", AttributeValue.fromN("1"))));
    }

    /** The counter as the table holds it; 0 if there is none. */
    private static int counter(String pk) {
        Map<String, AttributeValue> item = aws.dynamoDb()
                .getItem(get -> get.tableName(aws.tableName()).key(key(pk)).consistentRead(true)).join().item();
        return item.isEmpty() ? 0 : Integer.parseInt(item.get("n").n());
    }

    private static Map<String, AttributeValue> key(String pk) {
        return Map.of(TableSchema.PK, AttributeValue.fromS(pk), TableSchema.SK, AttributeValue.fromS("counter"));
    }
}
