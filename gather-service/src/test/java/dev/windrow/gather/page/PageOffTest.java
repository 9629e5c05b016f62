package dev.windrow.gather.page;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.windrow.gather.page.PageRoutes.PageFiles;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;

@QuarkusTest
@Tag("slow")
@TestProfile(PageOffTest.WithoutPage.class)
class PageOffTest {

    public static class WithoutPage implements QuarkusTestProfile {

        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of("windrow.gather.page.enabled", "false");
        }
    }

    @Test
    void withoutThePageThereIsNothingAtItsPathAndTheApiIsAsBefore() {
        Response answer = given().get("/");

        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(answer.contentType()).startsWith("application/problem+json");
        assertThat(given().get("/page/" + PageFiles.read("").version() + "/main.js").statusCode()).isEqualTo(404);
        assertThat(given().get("/api/v1/datasets").statusCode()).isEqualTo(200);
    }
}
