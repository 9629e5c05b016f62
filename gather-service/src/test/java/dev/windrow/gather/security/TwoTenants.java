package dev.windrow.gather.security;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;

import dev.windrow.dataset.Datasets;
import dev.windrow.gather.testing.Aggregated;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** Data of two tenants, and the required answers to requests about it. */
final class TwoTenants {

    private static final String TOTALS = "/api/v1/datasets/clicks/totals";

    private TwoTenants() {
    }

    static void write(DynamoDbAsyncClient client, Datasets datasets) {
        new Aggregated("acme", datasets.named("clicks").orElseThrow(), new SplittableRandom(1))
                .event("a", "2026-11-20T10:00:00Z").writeTo(client, "windrow");
        new Aggregated("other", datasets.named("clicks").orElseThrow(), new SplittableRandom(1))
                .event("a", "2026-11-20T10:00:00Z").event("a", "2026-11-20T10:00:00Z").writeTo(client, "windrow");
    }

    static Response totals(RequestSpecification request) {
        return request.queryParam("label", "a").get(TOTALS);
    }

    static void requireEvents(int events, Response response) {
        assertThat(response.statusCode()).as(response.asString()).isEqualTo(200);
        assertThat(response.jsonPath().getInt("measures.events")).as(response.asString()).isEqualTo(events);
    }

    /** Without a credential, the page and its files are served, but no data. */
    static void requirePublicPageOnly() {
        Response page = given().get("/");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.asString()).contains("main.js");
        String module = page.asString().replaceFirst("(?s).*\"(page/[0-9a-f]+/main\\.js)\".*", "/$1");
        assertThat(given().get(module).statusCode()).as(module).isEqualTo(200);
        requireRefused(401, "unauthenticated", given().get("/api/v1/datasets"));
        requireRefused(401, "unauthenticated", totals(given()));
    }

    static void requireRefused(int status, String reason, Response response) {
        assertThat(response.statusCode()).as(response.asString()).isEqualTo(status);
        assertThat(response.contentType()).startsWith("application/problem+json");
        assertThat(response.jsonPath().getString("type")).isEqualTo("/api/v1/problems/" + reason);
        if (status == 401) {
            assertThat(response.header("WWW-Authenticate")).isEqualTo("Bearer");
        }
    }
}
