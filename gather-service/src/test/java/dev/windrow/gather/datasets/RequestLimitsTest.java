package dev.windrow.gather.datasets;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import dev.windrow.gather.testing.EmbeddedTable;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;

@QuarkusTest
@QuarkusTestResource(EmbeddedTable.class)
class RequestLimitsTest {

    private static final String TOTALS = "/api/v1/datasets/clicks/totals";

    @Test
    void aLabelOfMaximumLengthFitsWithEachByteEncoded() {
        String label = "é".repeat(900);

        assertThat(given().queryParam("label", label).get(TOTALS).statusCode()).isEqualTo(200);
    }

    @Test
    void aQueryHeadersOrABodyBeyondTheLimitsAreRefused() {
        assertThat(given().queryParam("label", "x".repeat(20_000)).get(TOTALS).statusCode()).isEqualTo(414);
        assertThat(given().header("X-Long", "x".repeat(20_000)).get(TOTALS).statusCode()).isEqualTo(431);
        assertThat(given().body("x".repeat(100_000)).post(TOTALS).statusCode()).isIn(405, 413);
        assertThat(given().body("x".repeat(100_000)).post("/api/v1/datasets").statusCode()).isEqualTo(413);
    }
}
