package dev.windrow.gather.datasets;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.windrow.gather.testing.Aggregated;
import dev.windrow.gather.testing.TableTest;
import dev.windrow.table.Label;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

/** Every request of the dashboard that uses the API is answered, and the answer has what its columns select. */
@QuarkusTest
class GrafanaDashboardTest extends TableTest {

    private static final File DASHBOARD = new File("../docs/grafana/datasets.json");
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{(\\w+)(?::[a-z:]+)?}");

    private Instant now;
    private Map<String, String> variables;
    private JsonNode dashboard;

    @BeforeEach
    void write() throws IOException {
        now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        variables = Map.of("gather", "", "dataset", "clicks", "measure", "events", "granularity", "hour", "__from",
                now.minus(Duration.ofHours(24)).toString(), "__to", now.toString());
        dashboard = new ObjectMapper().readTree(DASHBOARD);
        Aggregated clicks = events("default", "clicks");
        for (int hours : List.of(2, 3, 3, 30, 31)) {
            clicks.event(Label.of("grafana " + hours), now.minus(Duration.ofHours(hours)), "1");
        }
        clicks.writeTo(client, "windrow");
    }

    @Test
    void everyRequestHasWhatItsColumnsSelect() {
        List<JsonNode> targets = new ArrayList<>(dashboard.findValues("infinityQuery"));
        dashboard.path("panels").forEach(panel -> panel.path("targets").forEach(targets::add));

        assertThat(targets).hasSizeGreaterThan(8).allSatisfy(target -> {
            String url = filledIn(target.path("url").asText());
            Response answer = given().urlEncodingEnabled(false).get(url);
            assertThat(answer.statusCode()).as(url + " " + answer.asString()).isEqualTo(200);
            JsonNode root = selected(new ObjectMapper().readTree(answer.asString()), target.path("root_selector").asText());
            List<JsonNode> rows = root.isArray() ? list(root) : List.of(root);
            assertThat(rows).as(url).isNotEmpty().allSatisfy(row -> target.path("columns").forEach(column -> {
                JsonNode value = selected(row, filledIn(column.path("selector").asText()));
                assertThat(value.isMissingNode()).as("%s of %s", column, row).isFalse();
                assertType(column.path("type").asText(), value);
            }));
        });
    }

    @Test
    void onlyDeclaredVariablesAreUsed() {
        Set<String> declared = new HashSet<>(dashboard.at("/templating/list").findValuesAsText("name"));
        declared.addAll(List.of("__from", "__to"));
        Matcher used = VARIABLE.matcher(dashboard.toString());

        List<String> names = used.results().map(match -> match.group(1)).toList();

        assertThat(names).isNotEmpty().allMatch(declared::contains);
        assertThat(dashboard.path("panels").findValuesAsText("id")).doesNotHaveDuplicates();
    }

    private static void assertType(String type, JsonNode value) {
        boolean fits = value.isNull() || switch (type) {
            case "number" -> value.isNumber();
            case "boolean" -> value.isBoolean();
            case "timestamp" -> value.isTextual() && Instant.parse(value.asText()) != null;
            default -> true;
        };
        assertThat(fits).as("%s as %s", value, type).isTrue();
    }

    private String filledIn(String text) {
        return VARIABLE.matcher(text).replaceAll(match -> Matcher.quoteReplacement(variables.get(match.group(1))));
    }

    private static JsonNode selected(JsonNode from, String path) {
        JsonNode found = from;
        for (String name : path.isEmpty() ? new String[0] : path.split("\\.", -1)) {
            found = found.path(name);
        }
        return found;
    }

    private static List<JsonNode> list(JsonNode array) {
        List<JsonNode> list = new ArrayList<>();
        array.forEach(list::add);
        return list;
    }
}
