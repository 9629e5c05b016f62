package dev.windrow.e2e;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * Asks the gatherer.
 *
 * @param gatherer its address
 */
record GatherClient(URI gatherer) {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String CLICKS = "/api/v1/datasets/clicks/";

    /** One label's totals, read from the table. */
    Clicks.Sum totals(String label) {
        return sum(get("totals?label=" + encoded(label)).path("measures"));
    }

    /** Every label's minutes added up, read page by page through the scattered index. */
    Map<String, Clicks.Sum> buckets() {
        Map<String, Clicks.Sum> sums = new TreeMap<>();
        String cursor = "";
        do {
            JsonNode page = get("buckets?granularity=minute&limit=50" + cursor);
            if (!page.path("complete").asBoolean()) {
                throw new IllegalStateException("an incomplete page: " + page);
            }
            page.path("items").forEach(item -> sums.merge(item.path("label").path(0).asText(), sum(item.path("measures")),
                    Clicks.Sum::plus));
            cursor = page.hasNonNull("next") ? "&cursor=" + encoded(page.path("next").asText()) : "";
        } while (!cursor.isEmpty());
        return sums;
    }

    private JsonNode get(String query) {
        try {
            return JSON.readTree(Http.get(gatherer.resolve(CLICKS + query)));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("no JSON was answered to " + query, e);
        }
    }

    private static Clicks.Sum sum(JsonNode measures) {
        return new Clicks.Sum(measures.path("events").asLong(), measures.path("bytes").asLong());
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
