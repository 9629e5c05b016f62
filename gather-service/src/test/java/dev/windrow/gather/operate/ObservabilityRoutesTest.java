package dev.windrow.gather.operate;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.gather.testing.EmbeddedTable;
import dev.windrow.gather.testing.ManagementPort;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

@QuarkusTest
@QuarkusTestResource(EmbeddedTable.class)
class ObservabilityRoutesTest {

    @ParameterizedTest
    @ValueSource(strings = { "/q/health", "/q/health/live", "/q/health/ready", "/q/health/started" })
    void healthIsServedOnTheManagementPort(String path) {
        Response response = ManagementPort.get(path);

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.jsonPath().getString("status")).isEqualTo("UP");
    }

    @Test
    void metricsAreServedOnTheManagementPort() {
        assertThat(ManagementPort.metrics()).anyMatch(line -> line.startsWith("jvm_memory_used_bytes"));
    }

    @ParameterizedTest
    @ValueSource(strings = { "/q/health", "/q/health/live", "/q/health/ready", "/q/health/started", "/q/metrics" })
    void theApisPortHasNeither(String path) {
        Response response = given().get(path);

        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(response.contentType()).startsWith("application/problem+json");
        assertThat(response.jsonPath().getString("type")).isEqualTo("/api/v1/problems/not-found");
    }

    @Test
    void theApiIsNotOnTheManagementPort() {
        assertThat(ManagementPort.get("/api/v1/datasets").statusCode()).isEqualTo(404);
    }
}
