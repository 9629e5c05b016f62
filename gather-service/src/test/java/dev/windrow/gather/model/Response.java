package dev.windrow.gather.model;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * A response of the service.
 *
 * @param retryAfter the Retry-After header, if there is one
 */
public record Response(String url, int status, String body, Optional<String> retryAfter) {

    private static final ObjectMapper JSON = new ObjectMapper()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    static Response of(HttpResponse<String> response) {
        return new Response(response.request().method() + " " + response.uri(), response.statusCode(), response.body(),
                response.headers().firstValue("Retry-After"));
    }

    public JsonNode json() {
        return parsed(body);
    }

    boolean isComplete() {
        return json().get("complete").asBoolean();
    }

    Instant asOf() {
        return Instant.parse(json().get("asOf").asText());
    }

    /** The last segment of a problem's type. */
    String reason() {
        return json().get("type").asText().replaceFirst(".*/", "");
    }

    Optional<String> next() {
        return Optional.ofNullable(json().get("next")).map(JsonNode::asText);
    }

    List<String> rows(List<ModelMeasure> measures) {
        List<String> rows = new ArrayList<>();
        json().get("items").forEach(item -> rows.add(ModelComparison.group(item, measures)));
        return rows;
    }

    /** The lines of NDJSON; the last one marks the end. */
    List<JsonNode> lines() {
        return body.lines().map(Response::parsed).toList();
    }

    /** The members of an object, as text. */
    public static Map<String, String> texts(JsonNode object) {
        Map<String, String> texts = new LinkedHashMap<>();
        object.properties().forEach(member -> texts.put(member.getKey(), member.getValue().asText()));
        return texts;
    }

    private static JsonNode parsed(String text) {
        try {
            return JSON.readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException("no JSON: " + text, e);
        }
    }

    @Override
    public String toString() {
        return url + " -> " + status + " " + (body.length() > 2_000 ? body.substring(0, 2_000) + "…" : body);
    }
}
