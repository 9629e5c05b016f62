package dev.windrow.gather.http;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import dev.windrow.gather.http.RawHttp.Answer;
import dev.windrow.gather.parameter.QueryKind;
import dev.windrow.gather.parameter.QueryParameter;
import dev.windrow.gather.testing.Draws;
import dev.windrow.gather.testing.ManagementPort;
import dev.windrow.gather.testing.TableTest;
import dev.windrow.testing.GeneratedCases;
import dev.windrow.testing.Seeds;
import io.quarkus.test.junit.QuarkusTest;

/**
 * Random requests over raw sockets: {@code -Dwindrow.fuzz.requests=N} sets their number, {@code -Dwindrow.seed=N} repeats them.
 * None may hang or get an internal error, every error has a reason, and the service answers a query correctly afterwards.
 */
@QuarkusTest
@Timeout(3_600)
class HttpFuzzTest extends TableTest {

    /** The rarest of the required statuses occurs once in 200 requests. */
    private static final int ENOUGH_FOR_EACH_STATUS = 3_000;
    private static final int REQUESTS = GeneratedCases.count("windrow.fuzz.requests", 100, ENOUGH_FOR_EACH_STATUS);
    private static final int CLIENTS = 8;
    /** On a busy machine, a burst of requests may open the circuit breaker, as it should. */
    private static final Duration BUSY = Duration.ofMinutes(2);

    @Test
    void noRequestFindsAFaultOrAnErrorWithoutReason() throws InterruptedException {
        // Given
        long seed = Seeds.seed("fuzzed requests");
        events("fuzz", "clicks")
                .event("a", "2026-11-20T10:00:00Z").event("a", "2026-11-20T10:00:01Z").writeTo(client, "windrow");
        RawHttp http = new RawHttp();
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

    /** Repeats a request while the service is too busy for it, as its {@code Retry-After} asks. */
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
        boolean hurried = request.contains("timeout=PT0.000000001S") || request.contains("timeout=1ms");
        if (answer.status() != 504 || !hurried) {
            assertThat(answer.status()).as(what).isLessThan(500);
        }
        if (answer.status() >= 400 && !request.startsWith("HEAD ")) {
            // Requests that are not HTTP never reach the router and get a bare status.
            boolean bare = answer.body().isEmpty() && answer.header("X-Request-Id").isEmpty();
            assertThat(bare || answer.isProblem()).as(what).isTrue();
        }
    }

    /** Draws requests: nearly valid queries, and bytes that are hardly requests. Each is complete, so none waits. */
    private static final class HostileRequests {

        private static final List<String> METHODS = List.of("GET", "GET", "GET", "GET", "POST", "POST", "HEAD", "PUT", "DELETE",
                "OPTIONS", "PATCH", "TRACE", "CONNECT", "get", "GE", "GET,", "\u00e9", "M".repeat(300));

        private static final List<String> VERSIONS = Stream.concat(Stream.of("HTTP/1.0", "HTTP/2.0", "HTTP/9.9", "XTTP/1.1",
                "http/1.1"), Collections.nCopies(35, "HTTP/1.1").stream()).toList();

        private static final List<String> PATHS = List.of("/api/v1/datasets", "/api/v1/datasets/", "/api/v1/problems/internal",
                "/api/v1/problems/x", "/api/v1/problems/%2e%2e/datasets", "/api/v1/datasets/clicks", "/q/health", "/q/metrics",
                "/q/openapi", "/q/swagger-ui/", "/q/swagger-ui/%00", "/q/%2e%2e/%2e%2e/etc/passwd", "/", "//", "*", "", "foo",
                "http://x/api/v1/datasets", "https://", "http:/x", "/\\", "/^", "/%", "/%zz", "/%c0%ae",
                "/" + "x".repeat(20_000),
                "/a;b=c", "/api/v1/datasets/%0a/totals", "/api/v1/datasets/\u0085/totals", "/?", "/??", "/#", "/api/v1/live");

        private static final List<String> DATASETS = List.of("clicks", "votes", "visits", "stock", "nothing", "CLICKS",
                "%63licks",
                "..", "%2e%2e", "a b", "%00", "%ff", "\u00e9", "x".repeat(2_000));

        private static final List<String> VALUES = List.of("", "a", "0", "1", "-1", "2147483648", "1e400", "1e999999999", "NaN",
                "true", "TRUE", "null", "day", "hour", "minute", "month", "fortnight", "now", "-PT1H", "-P999999999Y", "+PT1H",
                "P1D", "7d", "999999999w", "2026-11-20T10:00:00Z", "2026-11-20T10:00:00%2B18:00", "%2B10000-01-01T00:00:00Z",
                "9999-12-31T23:59:59Z", "1970-01-01T00:00:00Z", "-292277022657-01-27T08:29:52Z", "1795170692.5",
                "Europe/Berlin",
                "UTC+18:00", "Z", "../..", "%", "%zz", "%ff%fe", "%ed%a0%80", "%00", "%0d%0aX: y", "%F0%9F%98%80", "^", "\\",
                "\"",
                "<x>", "{}", "[]", "'", "a%23b", "\u00e9", "x".repeat(3_000), "asc", "desc", "zero", "previous", "linear",
                "csv",
                "ndjson", "json", "xml", "events", "bytes", "hour-of-day", "AAAA", "MSN4I3g", "500ms", "1ms", "0s",
                "PT0.000000001S",
                "default", "acme", "second", "https://");

        private static final List<String> HEADERS = List.of("Accept: ", "Accept: x", "Accept: */*", "Accept: text/csv",
                "Accept: application/x-ndjson", "Accept: text/event-stream", "Accept: a/b;q=\"", "Accept: ;,;/",
                "Accept: */*;q=z",
                "Accept: application/vnd.windrow.lines", "Accept: application/json;charset=x",
                "Accept: " + "a/b,".repeat(2_000),
                "Content-Type: ", "Content-Type: x", "Content-Type: application/json",
                "Content-Type: application/json;charset=x",
                "Content-Type: multipart/form-data", "Content-Type: multipart/form-data; boundary=x",
                "Content-Type: text/plain",
                "Content-Type: application/x-www-form-urlencoded", "Content-Type: application/json;charset=\"", "Host: x",
                "Host: ",
                "Host: [", "Host: a b", "Content-Length: x", "Content-Length: -5", "Content-Length: 99999999999999999999",
                "Transfer-Encoding: x", "Transfer-Encoding: identity", "If-None-Match: ", "If-None-Match: \"",
                "If-None-Match: *",
                "If-Match: \"x\"", "If-Match: *", "If-Modified-Since: x", "If-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT",
                "Range: bytes=0-", "Cookie: ;=;\"", "Cookie: a=\"b", "Origin: null", "Origin: https://x",
                "X-Request-Id: \u0085",
                "X-Request-Id: " + "i".repeat(100), "X-API-Key: ", "Authorization: ", "Authorization: Basic !",
                "Authorization: Bearer",
                "Authorization: Bearer a.b.c", "Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "Upgrade: websocket",
                "Expect: 100-continue", "Expect: x", "Accept-Encoding: gzip", "Accept-Encoding: ;q=", "Accept-Language: ;q=x",
                "Last-Event-ID: x", "Last-Event-ID: -9223372036854775808", "Last-Event-ID: 9223372036854775807",
                "Forwarded: for=\"",
                "X-Forwarded-Host: a b", "X-Forwarded-Port: x", "X-HTTP-Method-Override: DELETE", "no colon", "bad : x", ": x",
                " folded: x", "X: \u0000", "X-Long: " + "x".repeat(20_000), "traceparent: 00-x", "Sec-WebSocket-Key: x");

        private static final List<QueryKind> OPERATIONS = List.of(QueryKind.values());
        private static final List<QueryParameter> PARAMETERS = List.of(QueryParameter.values());

        private final RandomGenerator random;

        HostileRequests(RandomGenerator random) {
            this.random = random;
        }

        /** A request as bytes in ISO 8859-1. */
        String next() {
            String method = random.nextInt(4) > 0 ? METHODS.get(random.nextInt(5)) : one(METHODS);
            StringBuilder request = new StringBuilder(method + " " + target() + " " + one(VERSIONS) + "\r\n");
            if (random.nextInt(20) > 0) {
                request.append("Host: localhost\r\n");
            }
            for (int i = random.nextInt(4); i > 0; i--) {
                request.append(one(HEADERS)).append("\r\n");
            }
            String body = method.equals("POST") || random.nextInt(20) == 0 ? body() : "";
            if (random.nextInt(6) == 0 && !body.isEmpty()) {
                request.append("Transfer-Encoding: chunked\r\n\r\n").append(chunked(body));
            } else {
                request.append("Content-Type: application/json\r\n".repeat(random.nextInt(8) == 0 ? 0 : 1))
                        .append("Content-Length: ").append(body.length()).append("\r\n\r\n").append(body);
            }
            return request.toString();
        }

        private String target() {
            if (random.nextInt(6) == 0) {
                return one(PATHS) + (random.nextBoolean() ? "" : "?" + parameters());
            }
            String dataset = random.nextInt(4) > 0 ? DATASETS.get(random.nextInt(4)) : one(DATASETS);
            return "/api/v1/datasets/" + dataset + "/" + one(OPERATIONS).word()
                    + (random.nextInt(5) == 0 ? "" : "?" + parameters());
        }

        private String parameters() {
            List<String> parameters = new ArrayList<>();
            for (int i = random.nextInt(6); i >= 0; i--) {
                QueryParameter parameter = one(PARAMETERS);
                String value = random.nextBoolean() ? parameter.example() : one(VALUES);
                parameters.add(random.nextInt(30) == 0 ? value : parameter.word() + "=" + value);
            }
            return String.join("&", parameters);
        }

        private String body() {
            StringBuilder body = new StringBuilder("{");
            for (int i = random.nextInt(5); i >= 0; i--) {
                body.append('"').append(one(PARAMETERS).word()).append("\":").append(switch (random.nextInt(6)) {
                    case 0 -> one(List.of("1e400", "-0", "1E-400", "12345678901234567890123456789", "0.1", "1e999999999"));
                    case 1 -> one(List.of("null", "true", "false", "{}", "[]", "[null]", "[[1]]", "{\"a\":{}}"));
                    case 2 -> "[\"" + one(VALUES) + "\",1,true]";
                    case 3 -> "\"" + one(PARAMETERS).example() + "\"";
                    default -> "\"" + one(VALUES) + "\"";
                }).append(i > 0 ? "," : "");
            }
            body.append("}");
            return switch (random.nextInt(12)) {
                case 0 -> damaged(body);
                case 1 -> "[".repeat(random.nextInt(5_000));
                case 2 -> " ".repeat(random.nextInt(70_000));
                case 3 -> body.substring(random.nextInt(body.length()));
                default -> body.toString();
            };
        }

        private String damaged(StringBuilder body) {
            for (int i = random.nextInt(4); i >= 0; i--) {
                body.setCharAt(random.nextInt(body.length()), (char) random.nextInt(256));
            }
            return body.toString();
        }

        private String chunked(String body) {
            return switch (random.nextInt(6)) {
                case 0 -> "zz\r\n" + body + "\r\n0\r\n\r\n";
                case 1 -> "-1\r\n" + body + "\r\n0\r\n\r\n";
                case 2 -> "ffffffffffffffff\r\n" + body + "\r\n0\r\n\r\n";
                default -> Integer.toHexString(body.length()) + "\r\n" + body + "\r\n0\r\n\r\n";
            };
        }

        private <T> T one(List<T> choices) {
            return Draws.any(choices, random);
        }
    }
}
