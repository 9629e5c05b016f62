package dev.windrow.local.fault;

import static dev.windrow.local.fault.DynamoDbBehindProxy.TABLE;
import static dev.windrow.local.fault.DynamoDbBehindProxy.increment;
import static dev.windrow.local.fault.DynamoDbBehindProxy.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.windrow.local.fault.FaultPlan.FaultMix;
import dev.windrow.table.TableSchema;
import dev.windrow.testing.Patience;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

class FaultProxyTest extends ProxiedDynamoDbTest {

    private static final Duration NEVER = Duration.ofDays(1);

    @Test
    void answersAsTheServerDoes_whenNothingIsPlanned() {
        // when
        increment(client, "pass").join();
        increment(client, "pass").join();

        // then
        assertThat(client.getItem(get -> get.tableName(TABLE).key(key("pass"))).join().item().get("n").n())
                .isEqualTo("2");
        assertThat(proxy.audit().requests()).isEqualTo(Map.of("UpdateItem", 2L, "GetItem", 1L));
        assertThat(proxy.audit().faults()).isEqualTo(Map.of("pass", 3L));
        await().atMost(Patience.LIMIT).until(() -> proxy.audit().inFlight() == 0);
        assertThat(proxy.audit().abandoned()).isZero();
    }

    @Test
    void losesTheAnswerButNotTheWrite_whenCutAfterApplying() {
        // given
        proxy.use(FaultPlan.always(new Fault.CutAfter()));

        // when
        CompletableFuture<?> lost = increment(client, "cut-after");

        // then
        assertThatThrownBy(lost::join).hasCauseInstanceOf(SdkClientException.class);
        assertThat(dynamoDb.counter("cut-after")).isEqualTo(1);
        assertThat(proxy.audit().faults("cut-after")).isEqualTo(1);
        assertThat(proxy.audit().inFlight()).isZero();
    }

    @Test
    void losesTheWrite_whenCutBefore() {
        // given
        proxy.use(FaultPlan.always(new Fault.CutBefore()));

        // when
        CompletableFuture<?> lost = increment(client, "cut-before");

        // then
        assertThatThrownBy(lost::join).hasCauseInstanceOf(SdkClientException.class);
        assertThat(dynamoDb.counter("cut-before")).isZero();
    }

    @Test
    void writesAtOnceAndKeepsTheAnswer_whenDelayedAfter() {
        // given
        proxy.use(FaultPlan.always(new Fault.DelayAfter(NEVER)));

        // when
        CompletableFuture<?> late = increment(client, "delay-after");

        // then
        await().atMost(Patience.LIMIT).until(() -> dynamoDb.counter("delay-after") == 1);
        assertThat(late).isNotDone();
        assertThat(proxy.audit().inFlight()).isEqualTo(1);
    }

    @Test
    void countsARequestAsAbandoned_whenItsClientGoesAway() throws IOException {
        // given
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

            // when
            leaving.close();
        }

        // then
        await().atMost(Patience.LIMIT).until(() -> proxy.audit().inFlight() == 0);
        assertThat(proxy.audit().abandoned()).isEqualTo(1);
        assertThat(proxy.audit().requests()).isEqualTo(Map.of("ListTables", 1L));
    }

    @Test
    void playsTheFaultAfterTheDelay_whenBothArePlanned() {
        // given
        proxy.use(FaultPlan.always(new Fault.DelayBefore(Duration.ofMillis(1), new Fault.CutAfter())));

        // when
        CompletableFuture<?> lost = increment(client, "delay-cut");

        // then
        assertThatThrownBy(lost::join).hasCauseInstanceOf(SdkClientException.class);
        assertThat(dynamoDb.counter("delay-cut")).isEqualTo(1);
        assertThat(proxy.audit().faults()).isEqualTo(Map.of("delay-before+cut-after", 1L));
    }

    @Tag("slow")
    @Test
    void holdsAThousandConnections_untilTheyAreReleased() {
        // given
        CompletableFuture<Void> release = new CompletableFuture<>();
        proxy.use(FaultPlan.always(new Fault.Hang(release)));

        // when
        List<CompletableFuture<?>> hanging = new ArrayList<>();
        IntStream.range(0, 1_000).forEach(i -> hanging.add(increment(client, "hang")));
        await().atMost(Patience.LIMIT).until(() -> proxy.audit().inFlight() == 1_000);
        assertThat(dynamoDb.counter("hang")).isZero();
        release.complete(null);

        // then
        assertThat(CompletableFuture.allOf(hanging.toArray(CompletableFuture[]::new)))
                .succeedsWithin(Patience.LIMIT.multipliedBy(2));
        assertThat(dynamoDb.counter("hang")).isEqualTo(1_000);
        assertThat(proxy.audit().maxInFlight()).isEqualTo(1_000);
    }

    @Test
    void knowsTheAskedPartition_ofItemsTransactionsAndQueries() {
        // given
        List<String> seen = new ArrayList<>();
        proxy.use(request -> {
            request.partitionKey().ifPresent(seen::add);
            return new Fault.Pass();
        });

        // when
        increment(client, "of-update").join();
        client.getItem(get -> get.tableName(TABLE).key(key("of-get"))).join();
        client.putItem(put -> put.tableName(TABLE).item(key("of-put"))).join();
        client.transactWriteItems(writes -> writes.transactItems(List.of(TransactWriteItem.builder()
                .put(put -> put.tableName(TABLE).item(key("of-transaction"))).build()))).join();
        client.query(query -> query.tableName(TABLE).keyConditionExpression("begins_with(sk, :start) AND #p = :key")
                .expressionAttributeNames(Map.of("#p", TableSchema.PK)).expressionAttributeValues(
                        Map.of(":start", AttributeValue.fromS("c"), ":key", AttributeValue.fromS("of-query"))))
                .join();
        client.listTables().join();

        // then
        assertThat(seen).containsExactly("of-update", "of-get", "of-put", "of-transaction", "of-query");
    }

    @Test
    void slowsOnePartitionOnly_whenPlannedByKey() {
        // given
        proxy.use(FaultPlan.slow("slow"::equals, NEVER));

        // when
        CompletableFuture<?> slow = increment(client, "slow");
        increment(client, "quick").join();

        // then
        await().atMost(Patience.LIMIT).until(() -> proxy.audit().faults("delay-before") == 1);
        assertThat(proxy.audit().faults("pass")).isEqualTo(1);
        assertThat(slow).isNotDone();
    }

    @Test
    void drawsTheSameFaultsAgain_whenTheSeedIsTheSame() {
        // when
        List<String> first = kinds(7);
        List<String> second = kinds(7);
        List<String> other = kinds(8);

        // then
        assertThat(first).isEqualTo(second).isNotEqualTo(other).contains("pass", "cut-before",
                "InternalServerError");
    }

    @Test
    void leavesOtherOperationsAlone_whenThePlanIsForOne() {
        // given
        proxy.use(FaultPlan.always(new Fault.CutBefore()).onlyFor("GetItem")
                .or(FaultPlan.always(DynamoDbFaults.throttled()).onlyFor("PutItem")));

        // when
        increment(client, "others").join();

        // then
        assertThatThrownBy(() -> client.getItem(get -> get.tableName(TABLE).key(key("others"))).join())
                .hasCauseInstanceOf(SdkClientException.class);
        assertThatThrownBy(() -> client.putItem(put -> put.tableName(TABLE).item(key("others"))).join())
                .hasMessageContaining("Rate of requests");
        assertThat(dynamoDb.counter("others")).isEqualTo(1);
    }

    @Test
    void goesOverToAnotherPlan_afterSoManyRequests() {
        // given
        proxy.use(FaultPlan.none().first(2, FaultPlan.always(DynamoDbFaults.throttled())).onlyFor("PutItem"));

        // when
        increment(client, "first").join();
        client.putItem(put -> put.tableName(TABLE).item(key("one"))).join();
        client.putItem(put -> put.tableName(TABLE).item(key("two"))).join();

        // then
        assertThatThrownBy(() -> client.putItem(put -> put.tableName(TABLE).item(key("three"))).join())
                .hasMessageContaining("Rate of requests");
        increment(client, "first").join();
        assertThat(dynamoDb.counter("first")).isEqualTo(2);
    }

    @Test
    void tellsTheTestAtTheEnd_whenThePlanItselfFails() {
        // given
        AtomicReference<String> nothing = new AtomicReference<>();
        FaultProxy failing = FaultProxy.start(dynamoDb.endpoint(),
                request -> FaultPlan.slow(nothing.get()::equals, NEVER).decide(request));

        // when
        try (DynamoDbAsyncClient cut = DynamoDbBehindProxy.client(failing.endpoint())) {
            assertThatThrownBy(() -> increment(cut, "plan").join()).hasCauseInstanceOf(SdkClientException.class);
        }

        // then
        assertThatThrownBy(failing::close).isInstanceOf(IllegalStateException.class)
                .hasCauseInstanceOf(NullPointerException.class);
    }

    private static List<String> kinds(long seed) {
        FaultMix mix = new FaultMix(new Random(seed)).share(0.2, new Fault.CutBefore()).share(0.2,
                DynamoDbFaults.internalServerError());
        return IntStream.range(0, 100)
                .mapToObj(i -> mix.decide(new ProxiedRequest(i, "DynamoDB_20120810.GetItem", null, new byte[0])))
                .map(Fault::kind).toList();
    }
}
