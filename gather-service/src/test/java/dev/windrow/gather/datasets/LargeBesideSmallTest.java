package dev.windrow.gather.datasets;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.windrow.gather.testing.Aggregated;
import dev.windrow.gather.testing.TableTest;
import dev.windrow.table.Label;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

@QuarkusTest
@Tag("slow")
class LargeBesideSmallTest extends TableTest {

    private static final String TENANT = "large-beside-small";
    private static final int LABELS = 1_500;
    private static final int LARGE_CLIENTS = 8;
    private static final int SMALL_QUERIES = 8;

    private final AtomicInteger asked = new AtomicInteger();

    @Test
    void largeQueriesLeaveSmallOnesTheirShare() {
        Aggregated visits = events(TENANT, "visits");
        for (int i = 0; i < LABELS; i++) {
            visits.event(Label.of("host", "page" + i), Instant.parse("2026-11-20T10:00:00Z"), "1");
        }
        visits.writeTo(client, "windrow");
        ExecutorService threads = Executors.newFixedThreadPool(LARGE_CLIENTS);
        AtomicBoolean over = new AtomicBoolean();
        List<CompletableFuture<List<Response>>> large = IntStream.range(0, LARGE_CLIENTS)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> {
                    List<Response> answers = new ArrayList<>();
                    while (answers.isEmpty() || !over.get()) {
                        answers.add(ask("buckets", "tenant", TENANT, "limit", LABELS, "granularity", "hour"));
                    }
                    return answers;
                }, threads)).toList();

        List<Response> small;
        try {
            small = IntStream.range(0, SMALL_QUERIES).mapToObj(i -> ask("totals", "tenant", "nobody")).toList();
        } finally {
            over.set(true);
            threads.shutdown();
        }
        List<Response> others = large.stream().flatMap(client -> client.join().stream()).toList();
        assertThat(small).allSatisfy(LargeBesideSmallTest::assertComplete);
        assertThat(others).allSatisfy(LargeBesideSmallTest::assertComplete);
    }

    /** Sends a query with a unique end in the future, so that it is not answered from a cache. */
    private Response ask(String question, Object... parameters) {
        String end = Instant.parse("2026-12-01T00:00:00Z").plusSeconds(3_600L * asked.incrementAndGet()).toString();
        return Api.ask("visits/" + question, Api.with(parameters, "from", "2026-11-20T00:00:00Z", "to", end));
    }

    private static void assertComplete(Response answer) {
        assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(200);
        assertThat(Api.json(answer).at("/complete").asBoolean()).as(answer.asString()).isTrue();
    }
}
