package dev.windrow.gather.datasets;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.windrow.gather.parameter.QueryKind;
import dev.windrow.gather.parameter.QueryParameter;
import dev.windrow.gather.testing.ManagementPort;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;

@QuarkusTest
class ServiceApiTest {

    private JsonPath openApi;

    @BeforeEach
    void describe() {
        openApi = given().queryParam("format", "json").get("/q/openapi").jsonPath();
    }

    @Test
    void datasetsAreListedAsDeclared() {
        JsonPath datasets = given().get("/api/v1/datasets").jsonPath();

        assertThat(datasets.getList("items.name")).containsExactly("clicks", "votes", "visits", "stock", "rides",
                "rides-by-city", "all-rides", "rides-without-rollups", "tolls", "tolls-by-road", "tolls-in-minutes",
                "urls-of-referrer", "referrers-of-url", "urls-of-referrer-in-index", "scores", "scores-of-game", "matches",
                "monthly", "fading");
        assertThat(datasets.getList("items[2].scatter.width")).containsExactly(1, 10, 100);
        assertThat(datasets.getList("items[0].granularities")).containsExactly("minute", "hour", "day");
        assertThat(datasets.getMap("items[0].measures.events")).isEqualTo(Map.of("type", "count"));
        assertThat(datasets.getString("items[0].measures.bytes.attribute")).isEqualTo("bytes");
        assertThat(datasets.getInt("items[1].keyShards")).isEqualTo(10);
        assertThat(datasets.getInt("items[4].partition")).isEqualTo(3);
        assertThat(datasets.getInt("items[11].partition")).isEqualTo(1);
        assertThat(datasets.getList("items.find { it.name == 'stock' }.measures.collect { it.value.floor }")).contains(0);
        assertThat(datasets.getMap("items[0].measures.bytes")).doesNotContainKey("floor");
        assertThat(datasets.getMap("items[0]")).doesNotContainKey("retention");
        assertThat(datasets.getMap("items.find { it.name == 'fading' }.retention")).isEqualTo(
                Map.of("minute", "2d", "day", "400d"));
        Map<String, Object> matches = datasets.getMap("items.find { it.name == 'matches' }");
        assertThat(matches).contains(entry("title", "Matches"), entry("description", "Who won and lost."));
        assertThat(datasets.getMap("items.find { it.name == 'matches' }.measures")).contains(
                entry("win-ratio", Map.of("type", "ratio", "of", "wins", "to", "losses")),
                entry("minutes", Map.of("type", "sum", "attribute", "minutes", "title", "Time played", "description",
                        "Time of all matches.", "unit", "seconds")));
        assertThat(datasets.getInt("items.find { it.name == 'scores-of-game' }.partition")).isEqualTo(1);
        assertThat(datasets.getList("items.find { it.name == 'scores-of-game' }.ranks")).isEqualTo(List
                .of(Map.of("by", "best", "within", List.of("game"), "width", 1, "granularities", List.of("day"))));
        assertThat(datasets.getList("items[0].ranks")).isEmpty();
    }

    @Test
    void healthAndMetricsAreOnTheManagementPortOnly() {
        for (String path : List.of("/q/health", "/q/health/live", "/q/health/ready", "/q/health/started", "/q/metrics")) {
            Response onTheApisPort = given().get(path);

            assertThat(ManagementPort.get(path).statusCode()).as(path).isEqualTo(200);
            assertThat(onTheApisPort.statusCode()).as(path).isEqualTo(404);
            assertThat(onTheApisPort.jsonPath().getString("type")).as(path).isEqualTo("/api/v1/problems/not-found");
        }
        assertThat(ManagementPort.metrics()).anyMatch(line -> line.startsWith("jvm_memory_used_bytes"));
        assertThat(ManagementPort.get("/api/v1/datasets").statusCode()).isEqualTo(404);
        assertThat(given().get("/q/swagger-ui/").statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @EnumSource
    void theDescriptionKnowsEveryOperationWithItsParametersFormatsAndProblems(QueryKind operation) {
        String at = "paths.'/api/v1/datasets/{dataset}/" + operation.word() + "'.";
        String body = at + "post.requestBody.content.'application/json'.schema.properties";
        Set<String> expected = operation.parameters().stream().map(QueryParameter::word).collect(Collectors.toSet());

        assertThat(openApi.<String> getList(at + "get.parameters.name")).containsAll(expected)
                .allMatch(name -> expected.contains(name) || List.of("dataset", "Last-Event-ID").contains(name));
        assertThat(openApi.getMap(at + "get.responses").keySet()).contains("200", "400", "404", "503", "504");
        if (operation == QueryKind.LIVE) {
            assertThat(openApi.getMap(at + "get.responses.'200'.content").keySet()).containsOnly("text/event-stream");
            return;
        }
        assertThat(openApi.getMap(body).keySet()).isEqualTo(expected);
        if (operation.parameters().contains(QueryParameter.FORMAT)) {
            assertThat(openApi.getMap(at + "get.responses.'200'.content").keySet())
                    .containsOnly("application/json", "application/x-ndjson", "text/csv");
        }
        if (operation.parameters().contains(QueryParameter.PARTIAL)) {
            boolean whole = Set.of(QueryKind.TOTALS, QueryKind.COMPARE, QueryKind.POSITION).contains(operation);
            assertThat(openApi.getBoolean(at + "get.parameters.find { it.name == 'partial' }.schema.default"))
                    .as("whether shards may be missing").isEqualTo(!whole);
            assertThat(openApi.getBoolean(body + ".partial.default")).isEqualTo(!whole);
        }
    }

    @Test
    void theDescriptionKnowsChoicesAndBounds() {
        assertThat(schema("buckets", "order")).containsEntry("enum", List.of("asc", "desc"));
        assertThat(schema("top", "order")).containsEntry("enum", List.of("desc", "asc", "magnitude"));
        assertThat(schema("buckets", "format")).containsEntry("enum", List.of("json", "ndjson", "csv"));
        assertThat(schema("series", "fill")).containsEntry("enum", List.of("none", "zero", "previous", "linear"));
        assertThat(schema("busiest", "profile")).containsEntry("enum", List.of("hour-of-day", "day-of-week", "hour-of-week"));
        assertThat(schema("compare", "against")).containsEntry("enum", List.of("previous", "day", "week", "month", "year"));
        assertThat(schema("buckets", "limit")).containsEntry("minimum", 1);
        assertThat(schema("position", "around")).containsEntry("minimum", 0).containsEntry("maximum", 100);
        assertThat(schema("totals", "labels")).containsEntry("maxItems", 100);
        assertThat(schema("totals", "last")).containsKey("pattern");
    }

    private Map<String, Object> schema(String query, String parameter) {
        return openApi.getMap("paths.'/api/v1/datasets/{dataset}/" + query + "'.get.parameters.find { it.name == '" + parameter
                + "' }.schema");
    }

    /** Tools such as Swagger UI fill in every example of an operation. */
    @ParameterizedTest
    @EnumSource(value = QueryKind.class, mode = EnumSource.Mode.EXCLUDE, names = "LIVE")
    void theExamplesOfAnOperationMakeAValidRequest(QueryKind kind) {
        String template = "/api/v1/datasets/{dataset}/" + kind.word();
        List<Map<String, Object>> parameters = openApi.getList("paths.'" + template + "'.get.parameters");
        Map<String, Object> inQuery = new HashMap<>();
        Map<String, Object> inPath = new HashMap<>();
        parameters.stream().filter(parameter -> parameter.containsKey("example"))
                .forEach(parameter -> inQuery.put((String) parameter.get("name"), parameter.get("example")));
        inPath.put("dataset", openApi.getString("paths.'" + template
                + "'.get.parameters.find { it.name == 'dataset' }.examples.values()[0].value"));
        Map<String, Object> body = openApi
                .getMap("paths.'" + template + "'.post.requestBody.content.'application/json'.example");

        Response get = given().queryParams(inQuery).get(template, inPath);
        Response post = given().contentType(ContentType.JSON).body(body).post(template, inPath);

        assertThat(get.statusCode()).as(get.asString()).isEqualTo(200);
        assertThat(post.statusCode()).as(post.asString()).isEqualTo(200);
        assertThat(body).isEqualTo(inQuery);
    }

    @Test
    void theDescriptionNamesDatasetsAndMeasuresWhereAnybodyMayListThem() {
        String minutes = "`matches`: `matches`; `win-ratio`; `wins`; `losses`; `timed`; `minutes` (Time played, in seconds, Time of"
                + " all matches.); `average-minutes`";

        openApi.<String, Object> getMap("paths").keySet().stream().filter(path -> path.contains("{dataset}")).forEach(path -> {
            Map<String, Object> examples = openApi
                    .getMap("paths.'" + path + "'.get.parameters.find { it.name == 'dataset' }.examples");
            assertThat(examples).as(path).hasSize(19).containsEntry("matches",
                    Map.of("value", "matches", "summary", "Matches", "description", "Who won and lost."))
                    .containsEntry("votes", Map.of("value", "votes", "summary", "votes"));
        });
        assertThat(
                openApi.getString("paths.'/api/v1/datasets/{dataset}/top'.get.parameters.find { it.name == 'by' }.description"))
                .startsWith("The measure to order by").contains(minutes);
        for (String document : List.of("Bucket", "TopLabel", "Busiest", "TotalsView", "Period")) {
            assertThat(openApi.getString("components.schemas." + document + ".properties.measures.description")).as(document)
                    .contains(minutes);
        }
        assertThat(openApi.getMap("components.schemas.Dataset.properties.measures")).doesNotContainKey("description");
    }

    @Test
    void theDescriptionFitsClientGenerators() {
        assertThat(openApi.getString("info.license.identifier")).isEqualTo("Apache-2.0");
        assertThat(openApi.getString("servers[0].url")).isEqualTo("/");
        List<List<String>> tags = openApi.getList("paths.values().collect { it.values() }.flatten().tags");
        assertThat(tags).isNotEmpty().allSatisfy(ofOne -> assertThat(ofOne).hasSize(1)
                .isSubsetOf("datasets", "queries", "problems"));
        List<String> ids = openApi.getList("paths.values().collect { it.values() }.flatten().operationId");
        assertThat(ids).doesNotContainNull().doesNotHaveDuplicates();
    }

    @Test
    void theDescriptionSaysWhichPropertiesAreAlwaysThere() {
        Map<String, Map<String, Object>> schemas = openApi.getMap("components.schemas");

        schemas.forEach((name, schema) -> assertThat(schema.containsKey("required") || !schema.containsKey("properties")
                || name.equals("Accept")).as(name).isTrue());
        assertThat(openApi.getList("components.schemas.PageBucketView.required"))
                .containsExactlyInAnyOrder("items", "complete", "warnings");
        assertThat(openApi.getList("components.schemas.Bucket.required"))
                .containsExactlyInAnyOrder("label", "granularity", "start", "measures");
        assertThat(openApi.getList("components.schemas.Bucket.properties.measures.additionalProperties.type"))
                .containsExactlyInAnyOrder("number", "null");
        assertThat(openApi.getList("components.schemas.Change.properties.relative.type"))
                .containsExactlyInAnyOrder("number", "null");
        assertThat(openApi.getList("components.schemas.Change.type")).as("where either period has no value")
                .containsExactlyInAnyOrder("object", "null");
        assertThat(openApi.getList("components.schemas.Change.required")).contains("absolute", "relative");
        assertThat(openApi.getList("components.schemas.Rank.required")).containsExactlyInAnyOrder("by", "within", "width",
                "granularities");
        assertThat(openApi.getList("components.schemas.Dataset.required")).contains("partition", "ranks");
    }

    @Test
    void theDescriptionRequiresNoCredentialWhereNoneIsNeeded() {
        assertThat(openApi.getMap("components").keySet()).doesNotContain("securitySchemes");
        assertThat(openApi.getList("paths.collect { it.value.get.security }")).isNotEmpty().containsOnlyNulls();
        assertThat(openApi.getList("paths.collect { it.value.get.responses.'401' }")).isNotEmpty().containsOnlyNulls();
    }

    @Test
    void everyAnswerHasARequestId() {
        assertThat(given().get("/api/v1/datasets").header("X-Request-Id")).hasSize(36);
        assertThat(given().header("X-Request-Id", "mine-1").get("/nowhere").header("X-Request-Id")).isEqualTo("mine-1");
        assertThat(given().header("X-Request-Id", "a b").get("/api/v1/datasets").header("X-Request-Id")).hasSize(36);
    }

    @Test
    void otherOriginsAreNotWelcomed() {
        assertThat(given().header("Origin", "https://elsewhere.example").get("/api/v1/datasets")
                .header("Access-Control-Allow-Origin")).isNull();
    }

    @Test
    void noPathIsUndescribed() {
        Set<String> described = openApi.getMap("paths").keySet().stream().map(String::valueOf)
                .filter(path -> path.startsWith("/api/v1/datasets/") && !path.endsWith("/dashboard"))
                .collect(Collectors.toSet());

        assertThat(described).isEqualTo(Arrays.stream(QueryKind.values())
                .map(operation -> "/api/v1/datasets/{dataset}/" + operation.word()).collect(Collectors.toSet()));
    }
}
