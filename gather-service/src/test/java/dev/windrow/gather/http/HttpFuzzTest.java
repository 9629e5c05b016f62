package dev.windrow.gather.http;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import dev.windrow.gather.http.RawHttp.Answer;
import dev.windrow.gather.testing.ManagementPort;
import dev.windrow.gather.testing.TableTest;
import dev.windrow.testing.GeneratedCases;
import dev.windrow.testing.Seeds;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;

/**
 * Random requests over raw sockets: as many as {@code -Dwindrow.fuzz.requests} says, and with {@code -Dwindrow.seed=N} the
 * same again. None may be answered with a fault of the service's own, none may hang, every error has a reason, and the
 * service answers a question rightly afterwards.
 */
@QuarkusTest
@Timeout(3_600)
class HttpFuzzTest extends TableTest {

    /** One request in 200 has the rarest of these statuses. */
    private static final int ENOUGH_FOR_EACH_STATUS = 3_000;
    private static final int REQUESTS = GeneratedCases.count("windrow.fuzz.requests", 100, ENOUGH_FOR_EACH_STATUS);
    private static final int CLIENTS = 8;
    /** On a machine with other work a burst of requests may open the circuit breaker, which is what it is for. */
    private static final Duration BUSY = Duration.ofMinutes(2);

    @TestHTTPResource("/")
    URI base;

    @Test
    void noRequestFindsAFaultOrAnErrorWithoutReason() throws InterruptedException {
        // Given
        long seed = Seeds.seed("fuzzed requests");
        events("fuzz", "clicks")
                .event("a", "2026-11-20T10:00:00Z").event("a", "2026-11-20T10:00:01Z").writeTo(client, "windrow");
        RawHttp http = new RawHttp(base.getPort());
        Map<Integer, Integer> statuses = new ConcurrentSkipListMap<>();

        // When
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        List<Future<?>> sent = IntStream.range(0, REQUESTS).<Future<?>> mapToObj(i -> clients.submit(() -> {
            String request = new HostileRequests(new SplittableRandom(seed + i)).next();
            Answer answer = sendUntilTaken(http, request);
            statuses.merge(answer.status(), 1, Integer::sum);
            requireSane("request " + i + " of -Dwindrow.seed=" + seed, request, answer);
        })).toList();
        clients.shutdown();

        // Then
        Map<String, Integer> failures = new TreeMap<>();
        for (Future<?> each : sent) {
            try {
                each.get();
            } catch (ExecutionException e) {
                failures.merge(String.valueOf(e.getCause().getMessage()), 1, Integer::sum);
            }
        }
        System.out.println("fuzzed requests by status: " + statuses);
        assertThat(failures.keySet().stream().limit(20)).as(failures.size() + " failures").isEmpty();
        assertThat(statuses).containsKey(400);
        if (REQUESTS >= ENOUGH_FOR_EACH_STATUS) {
            assertThat(statuses).containsKeys(200, 404, 405, 406, 414, 415, 431);
        }
        assertThat(given().queryParam("tenant", "fuzz").queryParam("label", "a").get("/api/v1/datasets/clicks/totals")
                .jsonPath().getInt("measures.events")).isEqualTo(2);
        assertThat(ManagementPort.get("/q/health/live").jsonPath().getString("status")).isEqualTo("UP");
    }

    /** Sends again what the service is too busy for at the moment, as its {@code Retry-After} says. */
    private static Answer sendUntilTaken(RawHttp http, String request) {
        Answer first = http.send(request);
        return isBusy(first) ? await().pollInterval(Duration.ofSeconds(1)).atMost(BUSY)
                .until(() -> http.send(request), answer -> !isBusy(answer)) : first;
    }

    private static boolean isBusy(Answer answer) {
        return answer.status() == 503 && answer.isProblem() && answer.header("Retry-After").isPresent();
    }

    private static void requireSane(String which, String request, Answer answer) {
        String what = which + "\n" + (request.length() > 1_000 ? request.substring(0, 1_000) + "…" : request) + "\n=> "
                + answer;
        if (answer.status() == 0) {
            assertThat(answer.closed() && answer.body().isEmpty()).as(what).isTrue();
            return;
        }
        if (answer.status() != 504 || !request.contains("timeout=PT0.000000001S")) {
            assertThat(answer.status()).as(what).isLessThan(500);
        }
        if (answer.status() >= 400 && !request.startsWith("HEAD ")) {
            // What never reached the router, as it is no HTTP, has a bare status.
            boolean bare = answer.body().isEmpty() && answer.header("X-Request-Id").isEmpty();
            assertThat(bare || answer.isProblem()).as(what).isTrue();
        }
    }
}
