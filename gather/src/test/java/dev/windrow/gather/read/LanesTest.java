package dev.windrow.gather.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.base.Reason;
import dev.windrow.gather.plan.AbandonedLane;
import dev.windrow.gather.plan.TableFreshness;
import dev.windrow.gather.range.TimeRange;
import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.table.Lane;
import dev.windrow.table.TableSchema;
import dev.windrow.table.Watermark;
import dev.windrow.testing.Patience;
import dev.windrow.time.Granularity;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.helpers.test.UniAssertSubscriber;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

class LanesTest {

    private static final Instant NOW = Instant.parse("2026-11-22T10:00:00Z");
    private static final Watermark HOUR = new Watermark("hour", 3, NOW.minusSeconds(20).toEpochMilli(),
            Instant.parse("2026-11-22T09:00:00Z").getEpochSecond());

    private final List<UniEmitter<? super List<Lane>>> reads = new ArrayList<>();
    private long nanos = 5;
    private final Lanes cache = new Lanes(
            () -> Uni.createFrom().emitter(reads::add), Clock.fixed(NOW, ZoneOffset.UTC), () -> nanos, Duration.ofSeconds(1),
            Patience.LIMIT, Duration.ofMinutes(1), failure -> {
            }, Infrastructure.getDefaultWorkerPool());

    @Test
    void queriesShareOneReadAndItsResultForAMoment() {
        var first = cache.current().subscribeAsCompletionStage();
        var second = cache.current().subscribeAsCompletionStage();
        assertThat(reads).hasSize(1);

        answer(0, lane(3, 7, true));

        assertThat(first.join()).isEqualTo(second.join());
        assertThat(first.join().lagsFrom(Granularity.HOUR)).isEqualTo(Instant.parse("2026-11-22T09:00:00Z"));
        assertThat(first.join().asOf(Granularity.HOUR, TimeRange.END)).contains(NOW.minusSeconds(20));
        assertThat(first.join().asOf(Granularity.DAY, TimeRange.END)).contains(NOW);

        nanos += TimeUnit.SECONDS.toNanos(1) - 1;
        assertThat(current()).isEqualTo(first.join());
        nanos++;
        var later = cache.current().subscribeAsCompletionStage();
        assertThat(reads).hasSize(2);
        assertThat(later).isNotDone();
    }

    @Test
    void aQueryThatIsGivenUpDoesNotEndTheReadOfOthers() {
        var given = cache.current().subscribeAsCompletionStage();
        var other = cache.current().subscribeAsCompletionStage();
        given.cancel(true);

        answer(0);

        assertThat(other.join().readAt()).contains(NOW);
    }

    @Test
    void ifLanesCannotBeReadTheLastOnesHoldAndTheReasonIsGiven() {
        read(lane(3, 7, true));
        nanos += TimeUnit.SECONDS.toNanos(2);
        var failed = cache.current().subscribeAsCompletionStage();
        reads.get(1).fail(new GatherException(Reason.ACCESS_DENIED, "denied"));

        assertThat(failed.join().failure()).contains(Reason.ACCESS_DENIED);
        assertThat(failed.join().asOf(Granularity.HOUR, TimeRange.END)).contains(NOW.minusSeconds(20));
        assertThat(current()).as("not read again at once").isEqualTo(failed.join());

        nanos += TimeUnit.SECONDS.toNanos(2);
        assertThat(read().failure()).isEmpty();
    }

    @Test
    void aQueryThatCannotWaitUsesTheLastLanesAndLeavesTheReadToOthers() {
        read(lane(3, 7, true));
        nanos += TimeUnit.SECONDS.toNanos(2);
        var patient = cache.current().subscribeAsCompletionStage();

        TableFreshness late = cache.current(Duration.ofMillis(1)).await().atMost(Patience.LIMIT);

        assertThat(late.failure()).contains(Reason.TIMED_OUT);
        assertThat(late.asOf(Granularity.HOUR, TimeRange.END)).contains(NOW.minusSeconds(20));
        reads.get(1).complete(List.of());
        assertThat(patient.join().failure()).isEmpty();
    }

    @Test
    void nothingIsKnownIfLanesNeverCouldBeRead() {
        var failed = cache.current().subscribeAsCompletionStage();
        reads.get(0).fail(new GatherException(Reason.ACCESS_DENIED, "denied"));

        assertThat(failed.join().readAt()).isEmpty();
        assertThat(failed.join().asOf(Granularity.HOUR, TimeRange.END)).isEmpty();
        assertThat(failed.join().lagsFrom(Granularity.HOUR)).isEqualTo(TimeRange.END);
    }

    @Test
    void aLaneWithWorkThatDoesNotChangeForAMinuteIsAbandoned() {
        read(lane(3, 7, true), lane(4, 1, false));
        nanos += TimeUnit.SECONDS.toNanos(59);
        assertThat(read(lane(3, 7, true), lane(4, 1, false)).abandoned()).isEmpty();
        nanos += TimeUnit.SECONDS.toNanos(1);
        TableFreshness minuteLater = read(lane(3, 7, true), lane(4, 1, false));

        assertThat(minuteLater.abandoned()).containsExactly(new AbandonedLane(3, "writer-3", List.of(HOUR)));
        assertThat(cache.abandoned()).isEqualTo(1);

        nanos += TimeUnit.SECONDS.toNanos(1);
        assertThat(read(lane(3, 8, true), lane(4, 1, false)).abandoned()).as("somebody wrote it").isEmpty();
    }

    /** If the subscription came after the item, the chained step would take its own item for the value. */
    @Test
    void aSubscriptionThatRacesWithTheOutcomeGetsIt() throws Exception {
        CyclicBarrier together = new CyclicBarrier(2);
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            for (int i = 0; i < 20_000; i++) {
                AtomicReference<UniEmitter<? super String>> task = new AtomicReference<>();
                RefreshedValue<String> shared = new RefreshedValue<>("", () -> 0, Duration.ofSeconds(1),
                        () -> Uni.createFrom().<String> emitter(task::set));
                shared.current().subscribe().with(item -> {
                });
                Future<?> outcome = other.submit(() -> {
                    together.await();
                    task.get().complete("item");
                    return null;
                });
                together.await();
                // Setting the timeout's timer takes a moment, in which the outcome may arrive.
                UniAssertSubscriber<Integer> subscriber = shared.current()
                        .ifNoItem().after(Patience.LIMIT).recoverWithItem("late")
                        .chain(item -> Uni.createFrom().item(item.length())).subscribe()
                        .withSubscriber(UniAssertSubscriber.create());
                outcome.get();
                assertThat(subscriber.awaitItem(Patience.LIMIT).getItem()).isEqualTo(4);
            }
        } finally {
            other.shutdownNow();
        }
    }

    private TableFreshness read(Lane... lanes) {
        var read = cache.current().subscribeAsCompletionStage();
        answer(reads.size() - 1, lanes);
        return read.join();
    }

    private TableFreshness current() {
        return cache.current().await().atMost(Patience.LIMIT);
    }

    private void answer(int read, Lane... lanes) {
        reads.get(read).complete(List.of(lanes));
    }

    private static Lane lane(int number, long beat, boolean hasWork) {
        return new Lane(number, 1, beat, "writer-" + number, hasWork ? 1 : 0, 0, 0, hasWork ? List.of(HOUR) : List.of(),
                List.of(), 0, "");
    }

    @AutoClose
    private static LocalAws aws;

    @AutoClose
    private final Vertx vertx = Vertx.vertx();
    private final List<String> requests = new ArrayList<>();

    @BeforeAll
    static void startServers() {
        aws = LocalAws.start(LocalAwsOptions.forTests());
    }

    private interface Answers {
        void to(HttpServerRequest request, Buffer body);
    }

    @Test
    void allLanesAreReadHoweverManyThereAre() {
        DynamoLaneReader reader = reader(aws.dynamoDbEndpoint());
        for (int lane = 0; lane < TableSchema.MAX_LANES; lane++) {
            if (lane < 4 || lane > 60) {
                assertThat(read(reader)).extracting(Lane::number).hasSize(lane);
            }
            put(lane, Map.of());
        }

        assertThat(read(reader)).extracting(Lane::number).hasSize(TableSchema.MAX_LANES);
        assertThat(read(reader(aws.dynamoDbEndpoint()))).as("by one that starts now").hasSize(TableSchema.MAX_LANES);

        put(0, Map.of(TableSchema.LANE_EPOCH, number(3), TableSchema.LANE_BEAT, number(17), TableSchema.LANE_HOLDER,
                AttributeValue.fromS("writer-1"), TableSchema.LANE_POSITION, number(5), TableSchema.LANE_APPLIED, number(4),
                TableSchema.LANE_WATERMARKS, AttributeValue.fromS("hour 4 100 3600;day 4 50 0")));
        put(1, Map.of(TableSchema.LANE_POSITION, number(5), TableSchema.LANE_APPLIED, number(5)));
        put(2, Map.of(TableSchema.LANE_POSITION, number(5), TableSchema.LANE_APPLIED, number(5), TableSchema.LANE_PARKINGS,
                AttributeValue.fromS("1f 1f 5 5 true false")));
        List<Lane> lanes = read(reader);
        assertThat(lanes.get(0)).isEqualTo(new Lane(0, 3, 17, "writer-1", 5, 4, 0,
                List.of(new Watermark("hour", 4, 100, 3_600), new Watermark("day", 4, 50, 0)), List.of(), 0, ""));
        assertThat(lanes.get(1)).isEqualTo(new Lane(1, 0, 0, "", 5, 5, 0, List.of(), List.of(), 0, ""));
        assertThat(lanes.get(2).hasWork()).isTrue();
    }

    @Test
    void lanesThatAreLeftOutAreReadAgain() {
        DynamoLaneReader reader = reader(serve((request, body) -> request.response().end(requests.size() == 1
                ? answer("", key(0))
                : body.toString().contains("~lane#0") ? answer("{\"pk\":{\"S\":\"~lane#0\"},\"beat\":{\"N\":\"4\"}}", "")
                        : answer("", ""))));

        assertThat(read(reader)).extracting(Lane::beat).containsExactly(4L);
        assertThat(requests).hasSize(3);
    }

    @Test
    void lanesThatAreAlwaysLeftOutAreAFailure() {
        DynamoLaneReader reader = reader(serve((request, body) -> request.response().end(answer("", key(0)))));

        assertThat(failure(reader).reason()).isEqualTo(Reason.THROTTLED);
    }

    @Test
    void whatIsDeniedIsNotTriedAgain() {
        DynamoLaneReader reader = reader(serve((request, body) -> request.response().setStatusCode(400)
                .end("{\"__type\":\"com.amazon.coral.service#AccessDeniedException\",\"Message\":\"no\"}")));

        assertThat(failure(reader).reason()).isEqualTo(Reason.ACCESS_DENIED);
        assertThat(requests).hasSize(1);
    }

    @Test
    void aFailureThatPassesIsTriedAgain() {
        AtomicInteger tries = new AtomicInteger();
        DynamoLaneReader reader = reader(serve((request, body) -> request.response()
                .setStatusCode(tries.incrementAndGet() < 3 ? 500 : 200).end(answer("", ""))));

        assertThat(read(reader)).isEmpty();
        assertThat(tries).hasValue(3);
    }

    @Test
    void aLostResponseIsTriedAgain() {
        DynamoLaneReader reader = reader(serve((request, body) -> {
            if (requests.size() > 1) {
                request.response().end(answer("", ""));
            }
        }), Duration.ofMillis(500));

        assertThat(read(reader)).isEmpty();
        assertThat(requests).hasSizeGreaterThan(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = { "{\"S\":\"hour\"} | hour", "{\"L\":[]} | []",
            "{\"M\":{}} | {}" })
    void lanesInOtherWordsAreAFailure(String watermarks, String found) {
        DynamoLaneReader reader = reader(serve((request, body) -> request.response()
                .end(answer("{\"pk\":{\"S\":\"~lane#0\"},\"watermarks\":" + watermarks + "}", ""))));

        assertThat(failure(reader)).hasMessageContaining("expected a granularity and three numbers, found '" + found + "'");
    }

    private static String answer(String item, String unprocessed) {
        return "{\"Responses\":{\"windrow\":[" + item + "]},\"UnprocessedKeys\":{" + (unprocessed.isEmpty() ? ""
                : "\"windrow\":{\"ConsistentRead\":true,\"ExpressionAttributeNames\":{\"#0\":\"pk\"},\"Keys\":[" + unprocessed
                        + "]}")
                + "}}";
    }

    private static String key(int lane) {
        return "{\"pk\":{\"S\":\"~lane#" + lane + "\"},\"sk\":{\"S\":\"lane\"}}";
    }

    private static void put(int lane, Map<String, AttributeValue> attributes) {
        Map<String, AttributeValue> item = new HashMap<>(attributes);
        item.put(TableSchema.PK, AttributeValue.fromS(TableSchema.lanePartitionKey(lane)));
        item.put(TableSchema.SK, AttributeValue.fromS(TableSchema.LANE_SK));
        aws.dynamoDb().putItem(put -> put.tableName(TableSchema.TABLE).item(item)).join();
    }

    private static AttributeValue number(long number) {
        return AttributeValue.fromN(Long.toString(number));
    }

    private static List<Lane> read(DynamoLaneReader reader) {
        return reader.read().await().atMost(Patience.LIMIT);
    }

    private static GatherException failure(DynamoLaneReader reader) {
        GatherException failure = catchThrowableOfType(GatherException.class, () -> read(reader));
        assertThat(failure).isNotNull();
        return failure;
    }

    private DynamoLaneReader reader(URI endpoint) {
        return reader(endpoint, Patience.LIMIT);
    }

    private DynamoLaneReader reader(URI endpoint, Duration timeout) {
        try (ReaderConnection connection = new ReaderConnection(vertx, endpoint)) {
            return connection.lanes(timeout);
        }
    }

    private URI serve(Answers answers) {
        HttpServer server = vertx.createHttpServer();
        server.requestHandler(request -> request.body().onSuccess(body -> {
            requests.add(body.toString());
            answers.to(request, body);
        }));
        server.listen(0, "127.0.0.1").toCompletionStage().toCompletableFuture().join();
        return URI.create("http://127.0.0.1:" + server.actualPort());
    }
}
