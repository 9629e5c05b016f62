package dev.windrow.gather.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

import dev.windrow.local.fault.Fault;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.testing.Patience;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

/** Many clients at once, on a dataset of a hundred shards: answers or 503, and nothing left behind. */
@QuarkusTest
@Tag("slow")
@TestProfile(ModelProfile.class)
@TestMethodOrder(MethodOrderer.MethodName.class)
class ConcurrentClientsTest extends HundredShardsTest {

    private static final int CLIENTS = 200;

    @Test
    void clientsAreAnsweredExactlyOrRejectedWithRetryAfter() {
        List<String> expected = new ReferenceModel(dataset, "default").buckets(granularity, ModelRange.ALL, false,
                LabelFilter.NONE);
        // Reads that hung in another test may have opened the circuit breaker.
        await().atMost(Patience.LIMIT).until(() -> client.get(Query.of("hundred/buckets", "granularity", granularity,
                "timeout", "30s", "partial", "false")).status() == 200);
        // Answers take a moment, so that all clients are there at once.
        proxy.use(FaultPlan.slow(key -> true, Duration.ofMillis(20)));

        List<CompletableFuture<Response>> asked = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            // Each sends a query of its own, so that none is answered from a cache.
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
    void aClientThatGoesAwayLeavesNoReadRunning() {
        CompletableFuture<Void> release = new CompletableFuture<>();
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

        // They hang still: only giving them up can end them.
        awaitIdle();
        assertThat(proxy.audit().abandoned()).isGreaterThanOrEqualTo(abandoned + 100);
        release.complete(null);
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
}
