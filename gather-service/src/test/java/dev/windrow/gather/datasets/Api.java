package dev.windrow.gather.datasets;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;

final class Api {

    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    private Api() {
    }

    static Response get(String path, Object... parameters) {
        Response response = ask(path, parameters);
        assertThat(response.statusCode()).as(response.asString()).isEqualTo(200);
        return response;
    }

    /** The body as JSON, with every digit of its numbers. */
    static JsonNode json(Response response) {
        try {
            return JSON.readTree(response.asString());
        } catch (IOException malformed) {
            throw new UncheckedIOException(malformed);
        }
    }

    /** The body without some fields, such as those that differ between reads. */
    static JsonNode jsonWithout(Response response, String... fields) {
        ObjectNode result = (ObjectNode) json(response);
        result.remove(List.of(fields));
        return result;
    }

    /** The texts of an array, such as a label. */
    static List<String> texts(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false).map(JsonNode::asText).toList();
    }

    static Optional<String> next(JsonNode page) {
        return Optional.ofNullable(page.get("next")).filter(JsonNode::isTextual).map(JsonNode::asText);
    }

    static Response ask(String path, Object... parameters) {
        return request(parameters).get("/api/v1/datasets/" + path);
    }

    /** Builds a request from alternating names and values; a collection repeats its parameter. */
    static RequestSpecification request(Object... parameters) {
        RequestSpecification request = given();
        for (int i = 0; i < parameters.length; i += 2) {
            String name = (String) parameters[i];
            if (parameters[i + 1] instanceof Collection<?> values) {
                request.queryParam(name, values);
            } else {
                request.queryParam(name, parameters[i + 1]);
            }
        }
        return request;
    }

    static Object[] with(Object[] some, Object... more) {
        return Stream.concat(Arrays.stream(some), Arrays.stream(more)).toArray();
    }

    static JsonPath problem(Response response, int status, String reason) {
        assertThat(response.statusCode()).as(response.asString()).isEqualTo(status);
        assertThat(response.contentType()).startsWith("application/problem+json");
        JsonPath problem = response.jsonPath();
        assertThat(problem.getString("type")).isEqualTo("/api/v1/problems/" + reason);
        assertThat(problem.getInt("status")).isEqualTo(status);
        assertThat(problem.getString("title")).isNotBlank();
        return problem;
    }
}
