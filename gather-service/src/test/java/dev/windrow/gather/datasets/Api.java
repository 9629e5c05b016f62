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

/** Asks the service under test. */
final class Api {

    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    private Api() {
    }

    /** A question that must be answered. */
    static Response get(String path, Object... parameters) {
        Response response = ask(path, parameters);
        assertThat(response.statusCode()).as(response.asString()).isEqualTo(200);
        return response;
    }

    /** The body, with every digit of its numbers. */
    static JsonNode json(Response response) {
        try {
            return JSON.readTree(response.asString());
        } catch (IOException malformed) {
            throw new UncheckedIOException(malformed);
        }
    }

    /** The body without some of its fields, such as those that differ from reading to reading. */
    static JsonNode jsonWithout(Response response, String... fields) {
        ObjectNode result = (ObjectNode) json(response);
        result.remove(List.of(fields));
        return result;
    }

    /** The texts of an array, such as a label. */
    static List<String> texts(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false).map(JsonNode::asText).toList();
    }

    /** The cursor of the next page, if there is one. */
    static Optional<String> next(JsonNode page) {
        return Optional.ofNullable(page.get("next")).filter(JsonNode::isTextual).map(JsonNode::asText);
    }

    /** Any question. */
    static Response ask(String path, Object... parameters) {
        return request(parameters).get("/api/v1/datasets/" + path);
    }

    /** Names, each with its value; a collection is a parameter that repeats. */
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

    /** What must be a problem for a reason. */
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
