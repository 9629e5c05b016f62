package dev.windrow.writer;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;

import dev.windrow.writer.testing.EmbeddedAws;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;

/** What a healthy service logs: nothing to worry about. */
@QuarkusTest
@QuarkusTestResource(value = EmbeddedAws.class, restrictToAnnotatedClass = false)
class HealthyLogTest {

    @TestHTTPResource("/")
    URI service;

    @TestHTTPResource(value = "/", management = true)
    URI management;

    @ConfigProperty(name = "quarkus.log.file.path")
    Path log;

    @Test
    void noGaugeIsRegisteredTwiceAndNoRequestIsLoggedForItsEnd() throws IOException {
        // Given connections to both ports, over several event loops
        for (int i = 0; i < 8; i++) {
            assertThat(given().header("Connection", "close").get(service).statusCode()).isEqualTo(404);
            assertThat(given().header("Connection", "close").get(management.resolve("/q/health/live")).statusCode())
                    .isEqualTo(200);
        }

        // When
        List<String> lines = Files.readAllLines(log);

        // Then
        assertThat(lines).anyMatch(line -> line.contains("INFO"));
        assertThat(lines).noneMatch(line -> line.contains("already registered") || line.contains("MeterRegistry")
                || line.contains("HttpClientRequestImpl"));
    }
}
