package dev.windrow.gather.operate;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.gather.testing.EmbeddedTable;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

@QuarkusTest
@QuarkusTestResource(EmbeddedTable.class)
class ObservabilityRoutesTest {

    @TestHTTPResource("/")
    URI own;

    @TestHTTPResource(value = "/", management = true)
    URI management;

    @ParameterizedTest
    @ValueSource(strings = { "/q/health", "/q/health/live", "/q/health/ready", "/q/health/started" })
    void healthIsServedOnBothPorts(String path) {
        assertThat(own.getPort()).isNotEqualTo(management.getPort());
        for (URI port : new URI[] { own, management }) {
            Response response = given().get(port.resolve(path));

            assertThat(response.statusCode()).as("%s of %s", path, port).isEqualTo(200);
            assertThat(response.jsonPath().getString("status")).isEqualTo("UP");
        }
    }

    @Test
    void metricsAreServedOnBothPorts() {
        for (URI port : new URI[] { own, management }) {
            assertThat(given().get(port.resolve("/q/metrics")).asString()).contains("jvm_memory_used_bytes");
        }
    }

    @Test
    void theApiIsNotOnTheManagementPort() {
        assertThat(given().get(management.resolve("/api/v1/datasets")).statusCode()).isEqualTo(404);
    }
}
