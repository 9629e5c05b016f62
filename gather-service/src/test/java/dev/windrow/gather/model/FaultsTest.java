package dev.windrow.gather.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Instant;
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

import com.fasterxml.jackson.databind.JsonNode;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.Granularity;
import dev.windrow.local.fault.DynamoDbFaults;
import dev.windrow.local.fault.Fault;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.table.BucketKey;
import dev.windrow.table.Label;
import dev.windrow.table.SeriesKey;
import dev.windrow.testing.Patience;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

/** Shards that hang or fail are reported, and the data of the others is answered within the deadline. */
@QuarkusTest
@TestProfile(ModelProfile.class)
class FaultsTest extends HundredShardsTest {

    @Inject
    Datasets declared;

    private final CompletableFuture<Void> release = new CompletableFuture<>();

    @Override
    @AfterEach
    void heal() {
        super.heal();
        release.complete(null);
        // A breaker that opened lets reads pass again after a moment.
        await().atMost(Patience.LIMIT).until(() -> {
            Response answer = client.get(all());
            return answer.status() == 200 && answer.isComplete();
        });
    }

    @Test
    void aShardThatHangsIsLeftOutAtTheDeadline() {
        // Ten shards: nine of them surely answer in time.
        ModelDataset ten = World.dataset("ten");
        proxy.use(queries(missing(ten)::equals, new Fault.Hang(release)));

        Response answer = client.answered(all(ten).with("timeout", "1500ms"));

        assertMissing(answer.json(), missing(ten), "timed-out");
        assertThat(answer.rows(ten.measures())).isEqualTo(rowsWithoutMissing(ten));
    }

    @Test
    void aShardThatHangsIsAProblemWherePartialAnswersAreNotWelcome() {
        proxy.use(queries(missing(dataset)::equals, new Fault.Hang(release)));

        Response answer = client.get(all().with("timeout", "1s", "partial", "false"));

        assertThat(answer.status()).isEqualTo(504);
        assertThat(answer.reason()).isEqualTo("timed-out");
    }

    @Test
    void aShardThatFailsIsLeftOut() {
        proxy.use(queries(missing(dataset)::equals, DynamoDbFaults.internalServerError()));

        Response answer = client.answered(all());

        assertMissing(answer.json(), missing(dataset), "unavailable");
        assertThat(answer.rows(dataset.measures())).isEqualTo(rowsWithoutMissing(dataset));
    }

    @Test
    void aShardThatFailsIsAProblemWherePartialAnswersAreNotWelcome() {
        proxy.use(queries(missing(dataset)::equals, DynamoDbFaults.throughputExceeded()));

        Response answer = client.get(all().with("partial", "false"));

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.reason()).isEqualTo("throttled");
        assertThat(answer.retryAfter()).isPresent();
    }

    @Test
    void shardsThatFailOnceAreReadAgain() {
        // A tenth of them: if most failed, the circuit breaker would open.
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
    void noShardAtAllIsAProblemWhateverIsWelcome() {
        proxy.use(queries(key -> true, DynamoDbFaults.internalServerError()));

        for (String partial : List.of("true", "false")) {
            Response answer = client.get(all().with("partial", partial));

            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.reason()).isEqualTo("unavailable");
            assertThat(answer.retryAfter()).isPresent();
        }
    }

    @Test
    void noShardInTimeIsAProblem() {
        proxy.use(queries(key -> true, new Fault.Hang(release)));

        Response answer = client.get(all().with("timeout", "1s"));

        assertThat(answer.status()).isEqualTo(504);
        assertThat(answer.reason()).isEqualTo("timed-out");
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
        // Whatever granularity tiles the range.
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
        // Labels that no other test reads, as pages of the past may be cached. Failures come last: they open the circuit breaker.
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
        // A ratio is no metric.
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

    /** What the model answers without the items of the shard that is missing. */
    private List<String> rowsWithoutMissing(ModelDataset of) {
        int missing = missingShard(of);
        List<ModelEvent> left = of.of("default").stream().filter(event -> shardOf(of, event) != missing).toList();
        assertThat(left).isNotEmpty().hasSizeLessThan(of.of("default").size());
        ModelDataset without = new ModelDataset(of.name(), of.label(), of.partition(), of.granularities(), of.index(),
                of.keyShards(), of.measures(), of.widths(), of.strategy(), Map.of("default", left));
        return new ReferenceModel(without, "default").buckets(finestIndexed(of), ModelRange.ALL, false, LabelFilter.NONE);
    }

    /** The partition key of the shard that is missing. */
    private String missing(ModelDataset of) {
        return shardPrefix(of) + missingShard(of);
    }

    /** The shard of the first event, as others may be empty. */
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
}
