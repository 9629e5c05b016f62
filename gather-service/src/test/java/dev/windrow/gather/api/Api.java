package dev.windrow.gather.api;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;

import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;

/** Asks the service under test. */
final class Api {

    private Api() {
    }

    /** A question that must be answered. */
    static Response get(String path, Object... parameters) {
        Response response = ask(path, parameters);
        assertThat(response.statusCode()).as(response.asString()).isEqualTo(200);
        return response;
    }

    /** Any question; a collection is a parameter that repeats. */
    static Response ask(String path, Object... parameters) {
        RequestSpecification request = given();
        for (int i = 0; i < parameters.length; i += 2) {
            String name = (String) parameters[i];
            if (parameters[i + 1] instanceof Collection<?> values) {
                request.queryParam(name, values);
            } else {
                request.queryParam(name, parameters[i + 1]);
            }
        }
        return request.get("/api/v1/datasets/" + path);
    }
}
