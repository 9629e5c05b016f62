package dev.windrow.gather.model;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.windrow.gather.testing.ManagementPort;
import io.restassured.RestAssured;

public final class GatherClient {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Slightly less than the service accepts. */
    private static final int MAX_URI = 16_000;

    private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** Sends a query; posts it if it is too long for a URI. */
    Response get(Query query) {
        HttpRequest request = request(query);
        return request.uri().toString().length() > MAX_URI ? post(query, "application/json") : sent(request);
    }

    JsonNode declared() {
        return sent(HttpRequest.newBuilder(uri("/api/v1/datasets")).build()).json();
    }

    /** Sends a query that must get a complete or partial answer. */
    Response answered(Query query) {
        Response answer = get(query);
        if (answer.status() != 200) {
            throw new AssertionError(answer);
        }
        return answer;
    }

    CompletableFuture<Response> getAsync(Query query) {
        return http.sendAsync(request(query), BodyHandlers.ofString()).thenApply(Response::of);
    }

    Response post(Query query, String accept) {
        try {
            return sent(HttpRequest.newBuilder(uri("/api/v1/datasets/" + query.path())).header("Accept", accept)
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString(JSON.writeValueAsString(body(query)))).build());
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The parameters as they are posted: several labels as nested arrays, conditions as an object. */
    private static ObjectNode body(Query query) throws JsonProcessingException {
        ObjectNode body = JSON.valueToTree(query.members());
        ArrayNode labels = JSON.createArrayNode();
        for (String label : query.members().getOrDefault("labels", List.of())) {
            labels.add(JSON.readTree(label));
        }
        ObjectNode where = JSON.createObjectNode();
        for (String condition : query.members().getOrDefault("where", List.of())) {
            int colon = condition.indexOf(':');
            where.withArray("/" + condition.substring(0, colon)).add(condition.substring(colon + 1));
        }
        if (!where.isEmpty()) {
            body.set("where", where);
        }
        return labels.isEmpty() ? body : body.set("labels", labels);
    }

    public Response prometheus(String path, Map<String, String> parameters) {
        String form = parameters.entrySet().stream()
                .map(parameter -> parameter.getKey() + "=" + URLEncoder.encode(parameter.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        return sent(HttpRequest.newBuilder(uri("/api/v1/prometheus/api/v1/" + path))
                .header("Content-Type", "application/x-www-form-urlencoded").POST(BodyPublishers.ofString(form)).build());
    }

    /** Reads all pages of a query and returns the rows of each. */
    List<List<String>> walk(Query query, List<ModelMeasure> measures, int maxPages) {
        return walk(query, answered(query), measures, maxPages);
    }

    /** Reads the pages that follow a first page, and returns the rows of all. */
    List<List<String>> walk(Query query, Response first, List<ModelMeasure> measures, int maxPages) {
        List<List<String>> pages = new ArrayList<>(List.of(first.rows(measures)));
        Optional<String> next = first.next();
        while (next.isPresent() && pages.size() < maxPages) {
            Response page = answered(query.with("cursor", next.get()));
            pages.add(page.rows(measures));
            next = page.next();
        }
        return pages;
    }

    /** The value of the first line of a metric, which must exist. */
    double metric(String name) {
        return ManagementPort.metrics()
                .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ')))).findFirst().orElseThrow();
    }

    private HttpRequest request(Query query) {
        return HttpRequest.newBuilder(uri("/api/v1/datasets/" + query.path() + "?" + query.encoded())).build();
    }

    private URI uri(String path) {
        return URI.create("http://localhost:" + RestAssured.port + path);
    }

    private Response sent(HttpRequest request) {
        try {
            HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
            return Response.of(response);
        } catch (IOException e) {
            throw new UncheckedIOException(request.method() + " " + request.uri(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
