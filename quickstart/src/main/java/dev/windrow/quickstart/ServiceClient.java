package dev.windrow.quickstart;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** Queries the gather API or the writer's management port like any client. */
final class ServiceClient {

    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    /** Status codes of reads that failed or were late, as they may on a busy machine. */
    private static final Set<Integer> TRANSIENT = Set.of(503, 504);
    private static final int MAX_ATTEMPTS = 30;

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final URI base;

    /** @param base base address, such as {@code http://localhost:8080} */
    ServiceClient(URI base) {
        this.base = base;
    }

    /**
     * Returns all buckets of a dataset, page by page.
     *
     * @param order {@code asc} or {@code desc}
     * @param pageSize maximum number of buckets per page
     */
    List<JsonNode> buckets(String dataset, String granularity, String order, int pageSize) {
        List<JsonNode> buckets = new ArrayList<>();
        String query = "/api/v1/datasets/" + dataset + "/buckets?granularity=" + granularity + "&order=" + order
                + "&partial=false&limit=" + pageSize;
        String cursor = "";
        do {
            JsonNode page = get(query + cursor);
            if (!page.get("complete").asBoolean() || page.get("items").size() > pageSize) {
                throw new IllegalStateException("expected a complete page of at most " + pageSize + " items, got " + page);
            }
            page.get("items").forEach(buckets::add);
            cursor = page.hasNonNull("next") ? "&cursor=" + encoded(page.get("next").asText()) : "";
        } while (!cursor.isEmpty());
        return buckets;
    }

    /** Returns the time up to which claimed events are in the buckets of a granularity; {@link Instant#MIN} if unknown. */
    Instant asOf(String dataset, String granularity) {
        JsonNode page = get("/api/v1/datasets/" + dataset + "/buckets?granularity=" + granularity + "&limit=1");
        return page.hasNonNull("asOf") ? Instant.parse(page.get("asOf").asText()) : Instant.MIN;
    }

    /** Returns the JSON response to a path below the base, after several attempts if necessary. */
    JsonNode get(String path) {
        try {
            return JSON.readTree(text(path));
        } catch (IOException e) {
            throw new IllegalStateException(path + " gave no JSON", e);
        }
    }

    /** Returns the text of the response to a path, after several attempts if necessary. */
    String text(String path) {
        HttpRequest request = HttpRequest.newBuilder(base.resolve(path)).timeout(Duration.ofSeconds(30)).build();
        try {
            HttpResponse<String> answer = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
            for (int attempt = 2; TRANSIENT.contains(answer.statusCode()) && attempt <= MAX_ATTEMPTS; attempt++) {
                TimeUnit.SECONDS.sleep(1);
                answer = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
            }
            if (answer.statusCode() != 200) {
                throw new IllegalStateException(path + " answered " + answer.statusCode() + ": " + answer.body());
            }
            return answer.body();
        } catch (IOException e) {
            throw new IllegalStateException(path + " gave no answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Encodes text for a query parameter. */
    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
