package dev.windrow.writer.command;

import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.windrow.base.Durations;

/** Queries the gatherer for the totals of the posted events. */
final class CheckTotals {

    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(REQUEST_TIMEOUT).build();
    private final URI gather;
    private final Optional<String> apiKey;

    CheckTotals(URI gather, Optional<String> apiKey) {
        this.gather = gather;
        this.apiKey = apiKey;
    }

    /** Waits until the totals are those of the events, and fails with the last answer if they are not in time. */
    void await(CheckEvents events, Duration timeout) {
        URI question = question(events);
        long end = System.nanoTime() + timeout.toNanos();
        String last = get(question);
        while (!isExact(last, events.expected())) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException(question + ": expected measures " + events.expected() + " within "
                        + Durations.text(timeout) + ", found " + last);
            }
            pause();
            last = get(question);
        }
    }

    private URI question(CheckEvents events) {
        String label = events.label().stream().map(part -> "label=" + URLEncoder.encode(part, StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        return gather.resolve("/api/v1/datasets/" + events.dataset().name() + "/totals?" + label);
    }

    /** The answer's body, or what went wrong: the gatherer may still be starting. */
    private String get(URI question) {
        HttpRequest.Builder request = HttpRequest.newBuilder(question).timeout(REQUEST_TIMEOUT);
        apiKey.ifPresent(key -> request.header("X-API-Key", key));
        try {
            HttpResponse<String> response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return response.statusCode() == 200 ? response.body() : "status " + response.statusCode() + " " + response.body();
        } catch (IOException e) {
            return e.toString();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    static boolean isExact(String answer, Map<String, BigDecimal> expected) {
        JsonNode measures;
        try {
            measures = JSON.readTree(answer).path("measures");
        } catch (IOException e) {
            return false;
        }
        return expected.entrySet().stream().allMatch(measure -> measures.path(measure.getKey()).isNumber()
                && measures.path(measure.getKey()).decimalValue().compareTo(measure.getValue()) == 0);
    }

    private static void pause() {
        try {
            TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
