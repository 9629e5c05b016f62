package dev.windrow.gather.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

import jakarta.inject.Inject;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import com.fasterxml.jackson.databind.JsonNode;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.local.fault.DynamoDbFaults;
import dev.windrow.local.fault.Fault;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.local.fault.FaultProxy;
import dev.windrow.table.BucketKey;
import dev.windrow.table.Label;
import dev.windrow.table.SeriesKey;
import dev.windrow.testing.Patience;
import dev.windrow.time.Granularity;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

/** Shards that hang or fail are reported, and the data of the others is returned by the deadline, even to many clients. */
@QuarkusTest
@TestProfile(ModelProfile.class)
class FaultsTest {

    private static final int CLIENTS = 200;

    FaultProxy proxy;

    @Inject
    Datasets declared;

    private final ModelDataset dataset = World.dataset("hundred");
    private final String granularity = dataset.index().get(0);
    private final CompletableFuture<Void> release = new CompletableFuture<>();
    private final GatherClient client = new GatherClient();

    @AfterEach
    void heal() {
        proxy.use(FaultPlan.none());
        release.complete(null);
        // A breaker that has opened lets reads pass again after a moment.
        await().atMost(Patience.LIMIT).until(() -> {
            Response answer = client.get(all());
            return answer.status() == 200 && answer.isComplete();
        });
    }

    @Test
    void aShardThatHangsIsLeftOutAtTheDeadline() {
        // Of only ten shards, the other nine surely answer in time.
        ModelDataset ten = World.dataset("ten");
        proxy.use(queries(missing(ten)::equals, new Fault.Hang(release)));

        Response answer = client.answered(all(ten).with("timeout", "1500ms"));

        assertMissing(answer.json(), missing(ten), "timed-out");
        assertThat(answer.rows(ten.measures())).isEqualTo(rowsWithoutMissing(ten));
    }

    @ParameterizedTest
    @CsvSource({ "one, false, 504, timed-out", "one, false, 503, throttled", "all, true, 503, unavailable",
            "all, false, 503, unavailable", "all, true, 504, timed-out" })
    void missingShardsAreAProblemWherePartialAnswersAreNotWelcomeOrNoneIsLeft(String shards, String partial, int status,
            String reason) {
        proxy.use(queries(shards.equals("all") ? key -> true : missing(dataset)::equals, switch (reason) {
            case "timed-out" -> new Fault.Hang(release);
            case "throttled" -> DynamoDbFaults.throughputExceeded();
            default -> DynamoDbFaults.internalServerError();
        }));

        Response answer = client.get(all().with("timeout", status == 504 ? "1s" : "10s", "partial", partial));

        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.reason()).isEqualTo(reason);
        assertThat(answer.retryAfter().isPresent()).isEqualTo(status == 503);
    }

    @Test
    void shardsThatFailOnceAreReadAgain() {
        // Fails only a tenth of the shards: if most failed, the circuit breaker would open.
        Set<String> failed = ConcurrentHashMap.newKeySet();
        proxy.use(request -> request.partitionKey()
                .filter(key -> key.startsWith(shardPrefix(dataset)) && key.endsWith("7") && failed.add(key))
                .isPresent() ? new Fault.CutBefore() : new Fault.Pass());

        Response answer = client.answered(Query.of("hundred/buckets", "granularity", granularity, "limit", "10000", "order",
                "desc", "timeout", "30s", "to", "2030-01-01T00:00:01Z"));

        assertThat(failed).hasSize(10);
        assertThat(answer.isComplete()).isTrue();
        assertThat(answer.rows(dataset.measures()))
                .isEqualTo(new ReferenceModel(dataset, "default").buckets(granularity, ModelRange.ALL, true, LabelFilter.NONE));
    }

    @Test
    void aStreamEndsWithAWarningOfAMissingShard() {
        proxy.use(queries(missing(dataset)::equals, DynamoDbFaults.internalServerError()));

        List<JsonNode> lines = client.answered(all().with("format", "ndjson")).lines();

        assertMissing(lines.get(lines.size() - 1).get("end"), missing(dataset), "unavailable");
        assertThat(lines.subList(0, lines.size() - 1).stream().map(line -> RowText.of(line, dataset.measures())))
                .containsExactlyElementsOf(rowsWithoutMissing(dataset));
    }

    @Test
    void listsWarnOfAMissingShard() {
        // The shard fails in every granularity, whichever tiles the range.
        proxy.use(queries(key -> key.endsWith("#" + missingShard(dataset)), DynamoDbFaults.internalServerError()));
        String by = dataset.measures().get(0).name();

        JsonNode top = client.answered(Query.of("hundred/top", "by", by)).json();
        JsonNode busiest = client.answered(Query.of("hundred/busiest", "by", by, "granularity", granularity)).json();

        assertThat(List.of(top, busiest)).allSatisfy(answer -> assertThat(answer.get("complete").asBoolean()).isFalse());
        assertMissing(busiest, missing(dataset), "unavailable");
    }

    @Test
    @Tag("prometheus")
    void prometheusClientsAreWarnedOfAMissingShard() {
        proxy.use(queries(key -> key.endsWith("#" + missingShard(dataset)), DynamoDbFaults.internalServerError()));

        Response answer = prometheus("", "10s");

        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(answer.json().at("/status").asText()).isEqualTo("success");
        assertThat(answer.json().at("/warnings/0").asText()).startsWith("unavailable: ").contains("shards failed");
    }

    @Test
    @Tag("prometheus")
    void prometheusClientsReadWhyThereIsNoAnswer() {
        // Uses labels that no other test reads, as old pages may be cached. Failures come last: they open the circuit breaker.
        proxy.use(queries(key -> true, new Fault.Hang(release)));
        Response late = prometheus("{part0=~\"late.*\"}", "0.5");
        proxy.use(queries(key -> true, DynamoDbFaults.internalServerError()));
        Response failed = prometheus("{part0=~\"failed.*\"}", "10s");

        assertThat(failed.status()).isEqualTo(503);
        assertThat(failed.json().at("/errorType").asText()).isEqualTo("unavailable");
        assertThat(failed.json().at("/reason").asText()).isEqualTo("unavailable");
        assertThat(failed.retryAfter()).isPresent();
        assertThat(late.status()).isEqualTo(503);
        assertThat(late.json().at("/errorType").asText()).isEqualTo("timeout");
        assertThat(late.json().at("/reason").asText()).isEqualTo("timed-out");
    }

    private Response prometheus(String matchers, String timeout) {
        // A ratio is not a metric.
        String metric = "windrow_hundred_" + dataset.measures().stream().filter(measure -> !measure.kind().equals("ratio"))
                .findFirst().orElseThrow().name();
        return client.prometheus("query", Map.of("query", metric + matchers, "timeout", timeout));
    }

    private Query all() {
        return all(dataset);
    }

    private static Query all(ModelDataset of) {
        return Query.of(of.name() + "/buckets", "granularity", finestIndexed(of), "limit", "10000");
    }

    private static void assertMissing(JsonNode answer, String shard, String reason) {
        assertThat(answer.get("complete").asBoolean()).isFalse();
        assertThat(answer.get("warnings")).hasSize(1);
        assertThat(answer.at("/warnings/0/reason").asText()).isEqualTo(reason);
        assertThat(answer.at("/warnings/0/shards")).hasSize(1);
        assertThat(answer.at("/warnings/0/shards/0").asText()).isEqualTo(shard);
    }

    private List<String> rowsWithoutMissing(ModelDataset of) {
        int missing = missingShard(of);
        List<ModelEvent> left = of.of("default").stream().filter(event -> shardOf(of, event) != missing).toList();
        assertThat(left).isNotEmpty().hasSizeLessThan(of.of("default").size());
        ModelDataset without = new ModelDataset(of.name(), of.label(), of.partition(), of.granularities(), of.index(),
                of.keyShards(), of.measures(), of.widths(), of.strategy(), Map.of("default", left));
        return new ReferenceModel(without, "default").buckets(finestIndexed(of), ModelRange.ALL, false, LabelFilter.NONE);
    }

    private String missing(ModelDataset of) {
        return shardPrefix(of) + missingShard(of);
    }

    /** Chooses the shard of the first event, as others may be empty. */
    private int missingShard(ModelDataset of) {
        return shardOf(of, of.of("default").get(0));
    }

    private int shardOf(ModelDataset of, ModelEvent event) {
        Dataset real = declared.named(of.name()).orElseThrow();
        Granularity unit = Granularity.parse(finestIndexed(of)).orElseThrow();
        Instant start = unit.floor(event.time());
        String key = new BucketKey(new SeriesKey("default", of.name(), new Label(event.label()), event.keyShard()), unit, start)
                .indexSortKey();
        return real.scatter().shardOf(start, key, World.random(0));
    }

    private static FaultPlan queries(Predicate<String> partitionKey, Fault fault) {
        FaultPlan plan = request -> request.partitionKey().filter(partitionKey).isPresent() ? fault : new Fault.Pass();
        return plan.onlyFor("Query");
    }

    private static String shardPrefix(ModelDataset of) {
        return BucketKey.indexPartitionKeyPrefix("default", of.name(), Granularity.parse(finestIndexed(of)).orElseThrow());
    }

    private static String finestIndexed(ModelDataset of) {
        return of.index().get(0);
    }

    @Test
    @Tag("slow")
    void clientsAreAnsweredExactlyOrRejectedWithRetryAfter() {
        List<String> expected = new ReferenceModel(dataset, "default").buckets(granularity, ModelRange.ALL, false,
                LabelFilter.NONE);
        // Slows answers down, so that all clients wait at the same time.
        proxy.use(FaultPlan.slow(key -> true, Duration.ofMillis(20)));

        List<CompletableFuture<Response>> asked = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            // Each sends a different query, so that none is answered from a cache.
            asked.add(client.getAsync(Query.of("hundred/buckets", "granularity", granularity, "limit", "10000", "timeout",
                    "30s", "to", "2030-01-01T00:" + (10 + i / 60) + ":" + (10 + i % 50) + "Z")));
        }
        List<Response> answers = asked.stream().map(CompletableFuture::join).toList();

        assertThat(answers).allSatisfy(answer -> assertThat(answer.status()).isIn(200, 503));
        List<Response> answered = answers.stream().filter(answer -> answer.status() == 200).toList();
        List<Response> refused = answers.stream().filter(answer -> answer.status() == 503).toList();
        assertThat(answered).isNotEmpty().allSatisfy(answer -> {
            assertThat(answer.isComplete()).isTrue();
            assertThat(answer.rows(dataset.measures())).isEqualTo(expected);
        });
        assertThat(refused).isNotEmpty().allSatisfy(answer -> {
            assertThat(answer.reason()).isEqualTo("overloaded");
            assertThat(answer.retryAfter()).isPresent();
        });
        awaitIdle();
    }

    @Test
    @Tag("slow")
    void aClientThatGoesAwayLeavesNoReadRunning() {
        proxy.use(FaultPlan.always(new Fault.Hang(release)).onlyFor("Query"));
        long abandoned = proxy.audit().abandoned();
        List<CompletableFuture<Response>> asked = new ArrayList<>();
        for (String question : List.of("buckets", "top", "busiest", "buckets?ndjson")) {
            Query query = Query.of("hundred/" + question.replaceAll("\\?.*", ""), "timeout", "30s", "to",
                    "2031-01-01T00:00:00Z");
            query = question.equals("top") ? query : query.with("granularity", granularity);
            query = question.startsWith("buckets") ? query : query.with("by", dataset.measures().get(0).name());
            asked.add(client.getAsync(question.endsWith("ndjson") ? query.with("format", "ndjson") : query));
        }
        await().atMost(Patience.LIMIT).until(() -> proxy.audit().inFlight() >= 100);

        asked.forEach(answer -> answer.cancel(true));

        // The reads still hang: only cancelling can end them.
        awaitIdle();
        assertThat(proxy.audit().abandoned()).isGreaterThanOrEqualTo(abandoned + 100);
    }

    private void awaitIdle() {
        await().atMost(Patience.LIMIT).untilAsserted(() -> {
            assertThat(proxy.audit().inFlight()).as("reads at the table").isZero();
            for (String gauge : List.of("windrow_gather_reads_in_flight", "windrow_gather_reads_waiting",
                    "windrow_gather_queries_in_flight", "windrow_gather_queries_waiting",
                    "windrow_gather_streams_in_flight")) {
                assertThat(client.metric(gauge)).as(gauge).isZero();
            }
        });
    }

    /** DynamoDB refuses reads of an index while building it (status CREATING): answers then come from all labels. */
    @Test
    void topAndPositionAreThoseOfAllLabelsUntilTheIndexIsBuilt() {
        // Given
        ModelDataset board = World.dataset("board");
        List<ModelEvent> events = board.of("default");
        // The granularity forever, whose pages are never cached. A measure may have no value in nearly all events.
        ModelTop order = board.ranks().stream().filter(any -> any.granularities().contains("forever"))
                .map(any -> new ModelTop(ModelTop.whole(1), board.measure(any.by()), "desc", ModelTop.ALL, null,
                        BigDecimal.ZERO))
                .filter(any -> any.groups(events).size() >= 7).findFirst().orElse(null);
        assumeTrue(order != null, "no leaderboard has as many labels as are asked for");
        List<List<String>> labels = order.groups(events);
        List<String> label = labels.get(labels.size() / 2);
        Query top = Query.of("board/top", "by", order.by().name(), "n", "7", "explain", "true");
        Query position = Query.of("board/position", "by", order.by().name(), "label", label.get(0), "around", "2", "explain",
                "true");
        List<String> places = new ModelPosition(label, order, 2).rows(events);

        for (String source : List.of("index", "rank")) {
            // When
            proxy.use(source.equals("rank") ? FaultPlan.none()
                    : DynamoDbFaults.indexBeingBuilt(index -> index.startsWith("rank-")));
            Response listed = client.answered(top);
            Response placed = client.answered(position);

            // Then
            assertThat(source(listed)).isEqualTo(source);
            assertThat(source(placed)).isEqualTo(source);
            assertThat(listed.isComplete()).isTrue();
            assertThat(listed.rows(board.measures())).extracting(row -> row.substring(0, row.indexOf(" | ")))
                    .isEqualTo(labels.subList(0, 7).stream().map(List::toString).toList());
            assertThat(ModelPosition.rows(placed.json())).isEqualTo(places);
        }
    }

    private static String source(Response answer) {
        return answer.json().at("/explain/plan/0/source").asText();
    }
}
