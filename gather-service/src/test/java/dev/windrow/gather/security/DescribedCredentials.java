package dev.windrow.gather.security;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import io.restassured.http.ContentType;
import io.restassured.http.Method;
import io.restassured.path.json.JsonPath;

/** Checks the credentials in the API's description. */
final class DescribedCredentials {

    private static final Set<String> METHODS = Set.of("get", "post");

    private DescribedCredentials() {
    }

    static JsonPath description() {
        return given().queryParam("format", "json").get("/q/openapi").jsonPath();
    }

    /**
     * Calls every described operation without a credential: exactly those described as needing one refuse. The description
     * contains no declared names.
     *
     * @return the number of refusals
     */
    static int requireTrue() {
        JsonPath description = description();
        assertThat(description.prettify()).as("names for those without a credential").doesNotContain("rides-by-city",
                "win-ratio", "Time played");
        Map<String, Object> schemes = description.getMap("components.securitySchemes");
        Map<String, Map<String, Object>> paths = description.getMap("paths");
        int refused = 0;
        for (String path : paths.keySet()) {
            Set<String> methods = new TreeSet<>(paths.get(path).keySet());
            methods.retainAll(METHODS);
            for (String method : methods) {
                String operation = method + " " + path;
                String at = "paths.'" + path + "'." + method;
                List<Map<String, Object>> security = description.getList(at + ".security");
                int status = ask(method, path);
                if (security == null || security.isEmpty()) {
                    assertThat(status).as(operation).isNotIn(401, 403);
                } else {
                    assertThat(status).as(operation).isEqualTo(401);
                    assertThat(security).as(operation).allSatisfy(
                            requirement -> assertThat(schemes.keySet()).containsAll(requirement.keySet()));
                    refused++;
                }
                assertThat(description.getMap(at + ".responses").containsKey("401")).as(operation).isEqualTo(status == 401);
            }
        }
        return refused;
    }

    private static int ask(String method, String path) {
        String asked = path.replace("{dataset}", "clicks").replace("{reason}", "forbidden");
        return given().contentType(ContentType.JSON).body("post".equals(method) ? "{\"limit\":0}" : "")
                .request(Method.valueOf(method.toUpperCase(Locale.ROOT)), asked).statusCode();
    }
}
