package dev.windrow.gather.prometheus;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.windrow.dataset.Dataset;
import dev.windrow.gather.testing.Aggregated;
import dev.windrow.gather.testing.TableTest;
import dev.windrow.table.Label;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;

/** Every query of each dataset's dashboard has a result when its variables are filled in like Grafana does. */
@QuarkusTest
@Tag("prometheus")
class DatasetDashboardTest extends TableTest {

    private static final String PROMETHEUS = "/api/v1/prometheus/api/v1/";
    private static final String VALUE = "a.b|c \"d\"\\";
    private static final Pattern VARIABLE = Pattern.compile("\\$(\\w+)|\\$\\{(\\w+)}");
    private static final Pattern LABEL_VALUES = Pattern.compile("label_values\\((.+), (\\w+)\\)");

    private final Instant now = Instant.now();

    private static JsonNode dashboard(String dataset) throws IOException {
        Response answer = given().get("/api/v1/datasets/{dataset}/dashboard", dataset);
        assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(200);
        return new ObjectMapper().readTree(answer.asString());
    }

    private static List<String> expressions(JsonNode dashboard) {
        return dashboard.path("panels").findValuesAsText("expr");
    }

    /** Writes some events in each of the dashboards' ranges, and none in the current bucket. */
    private void write() {
        for (Dataset dataset : datasets.all()) {
            Aggregated events = new Aggregated("dashboards", dataset, new SplittableRandom(1));
            LongStream.of(1, 2, 30, 24 * 40, 24 * 80).forEach(hours -> events.event(
                    new Label(Collections.nCopies(dataset.label().size(), VALUE)), now.minus(Duration.ofHours(hours)), "2"));
            events.writeTo(client, "windrow");
        }
    }

    @Tag("slow")
    @Test
    void everyQueryHasAResultForAllLabelsAndForChosenOnes() throws IOException {
        // Given
        write();
        for (Dataset dataset : datasets.all()) {
            JsonNode dashboard = dashboard(dataset.name());
            for (boolean all : List.of(true, false)) {
                Map<String, String> chosen = chosen(dashboard, all);

                // When
                dashboard.at("/templating/list").forEach(variable -> assertListsItsValues(variable, chosen));
                dashboard.path("panels").forEach(panel -> {
                    JsonPath answer = ask(panel, dashboard.at("/time/from").asText(), chosen);

                    // Then
                    List<Object> result = answer.getList("data.result");
                    assertThat(result).as("%s %s", dataset.name(), panel).isNotEmpty();
                    assertThat(answer.getList("warnings")).isNull();
                });
            }
        }
    }

    /** The values of the variables; text boxes need one. */
    private static Map<String, String> chosen(JsonNode dashboard, boolean all) {
        Map<String, String> chosen = new HashMap<>(Map.of("__range", "", "__interval", ""));
        dashboard.at("/templating/list").forEach(variable -> {
            boolean several = variable.path("multi").asBoolean();
            // Escapes like Grafana: as a quoted regular expression if there may be several values.
            String one = VALUE.replace("\\", several ? "\\\\\\\\" : "\\\\").replace("\"", "\\\"");
            String escaped = several ? one.replaceAll("[.|]", "\\\\\\\\$0") : one;
            chosen.put(variable.path("name").asText(), all && several ? variable.path("allValue").asText()
                    : several ? "(" + escaped + "|other)" : escaped);
        });
        return chosen;
    }

    private static RequestSpecification request() {
        return given().queryParam("tenant", "dashboards");
    }

    private static String filledIn(String text, Map<String, String> variables) {
        return VARIABLE.matcher(text).replaceAll(match -> {
            String name = match.group(1) == null ? match.group(2) : match.group(1);
            assertThat(variables).as(text).containsKey(name);
            return Matcher.quoteReplacement(variables.get(name));
        });
    }

    private static void assertListsItsValues(JsonNode variable, Map<String, String> chosen) {
        if (variable.path("type").asText().equals("query")) {
            Matcher query = LABEL_VALUES.matcher(variable.path("query").asText());
            assertThat(query.matches()).as(variable.toString()).isTrue();
            assertThat(request().queryParam("match[]", filledIn(query.group(1), chosen))
                    .get(PROMETHEUS + "label/{label}/values", query.group(2)).jsonPath().getList("data"))
                    .as(variable.toString()).isEqualTo(List.of(VALUE));
        }
    }

    private JsonPath ask(JsonNode panel, String from, Map<String, String> chosen) {
        JsonNode target = panel.path("targets").path(0);
        Duration range = Duration.ofHours(Long.parseLong(from.replaceAll("now-(\\d+)h", "$1")));
        String interval = target.path("interval").asText();
        Map<String, String> variables = new HashMap<>(chosen);
        variables.put("__range", range.toSeconds() + "s");
        variables.put("__interval", interval);
        RequestSpecification request = request().queryParam("query", filledIn(target.path("expr").asText(), variables));
        Response answer = target.path("range").asBoolean()
                ? request.queryParam("start", now.minus(range).getEpochSecond()).queryParam("end", now.getEpochSecond())
                        .queryParam("step", interval).get(PROMETHEUS + "query_range")
                : request.queryParam("time", now.getEpochSecond()).get(PROMETHEUS + "query");
        assertThat(answer.statusCode()).as(panel + " " + answer.asString()).isEqualTo(200);
        return answer.jsonPath();
    }

    @Test
    void panelsHaveTitlesDescriptionsAndUnitsAndDoNotOverlap() throws IOException {
        for (Dataset dataset : datasets.all()) {
            JsonNode dashboard = dashboard(dataset.name());
            Set<String> taken = new HashSet<>();
            for (JsonNode panel : dashboard.path("panels")) {
                JsonNode at = panel.path("gridPos");
                assertThat(at.path("x").asInt() + at.path("w").asInt()).isLessThanOrEqualTo(24);
                for (int x = at.path("x").asInt(); x < at.path("x").asInt() + at.path("w").asInt(); x++) {
                    for (int y = at.path("y").asInt(); y < at.path("y").asInt() + at.path("h").asInt(); y++) {
                        assertThat(taken.add(x + " " + y)).as("%s at %s", panel.path("title"), at).isTrue();
                    }
                }
                assertThat(panel.path("title").asText()).isNotBlank();
                assertThat(panel.path("description").asText()).isNotBlank();
                assertThat(panel.at("/fieldConfig/defaults/unit").asText()).isNotBlank();
            }
            assertThat(dashboard.path("panels").findValuesAsText("id")).isNotEmpty().doesNotHaveDuplicates();
            assertThat(dashboard.path("schemaVersion").asInt()).isEqualTo(39);
            assertThat(dashboard.path("uid").asText()).hasSizeLessThanOrEqualTo(40);
            assertThat(new TreeSet<>(dashboard.findValuesAsText("uid"))).hasSize(2).contains("${datasource}");
        }
    }

    @Test
    void titlesDescriptionsAndUnitsAreThoseDeclared() throws IOException {
        JsonNode matches = dashboard("matches");
        JsonNode minutes = panel(matches, "Time played");

        assertThat(matches.path("title").asText()).isEqualTo("Matches");
        assertThat(matches.path("description").asText()).isEqualTo("Who won and lost.");
        assertThat(minutes.path("description").asText()).isEqualTo("Time of all matches.");
        assertThat(minutes.at("/fieldConfig/defaults/unit").asText()).isEqualTo("s");
        assertThat(panel(matches, "wins").at("/fieldConfig/defaults/unit").asText()).isEqualTo("short");
        JsonNode tolls = dashboard("tolls-in-minutes");
        assertThat(panel(tolls, "fees").at("/fieldConfig/defaults/unit").asText()).isEqualTo("currencyEUR");
        assertThat(panel(tolls, "dearest, total").at("/fieldConfig/defaults/unit").asText()).isEqualTo("suffix:CAD");
    }

    private static JsonNode panel(JsonNode dashboard, String title) {
        for (JsonNode panel : dashboard.path("panels")) {
            if (panel.path("title").asText().equals(title)) {
                return panel;
            }
        }
        throw new AssertionError("no panel " + title + " in " + dashboard);
    }

    @Test
    void measuresAreAskedForAsTheirKindAllows() throws IOException {
        String series = "windrow_clicks_%s{referrer=~\"$label_referrer\"}";
        assertThat(expressions(dashboard("clicks"))).containsExactly(
                "sum (increase(" + series.formatted("events") + "[$__interval]))",
                "sum (increase(" + series.formatted("events") + "[$__range]))",
                "sum (increase(" + series.formatted("bytes") + "[$__interval]))",
                "sum (increase(" + series.formatted("bytes") + "[$__range]))",
                "min (min_over_time(" + series.formatted("smallest") + "[$__interval]))",
                "min (min_over_time(" + series.formatted("smallest") + "[$__range]))",
                "max (max_over_time(" + series.formatted("largest") + "[$__interval]))",
                "max (max_over_time(" + series.formatted("largest") + "[$__range]))",
                "avg (" + series.formatted("opening") + ")",
                "avg (last_over_time(" + series.formatted("closing") + "[$__interval]))",
                "avg (last_over_time(" + series.formatted("closing") + "[$__range]))",
                "topk(10, sum by (referrer) (increase(" + series.formatted("events") + "[$__range])))");
        assertThat(expressions(dashboard("matches"))).contains(
                "sum (increase(windrow_matches_wins{game=~\"$label_game\",player=~\"$label_player\"}[$__interval]))"
                        + " / sum (increase(windrow_matches_losses{game=~\"$label_game\",player=~\"$label_player\"}[$__interval]))");
    }

    /** Labels cannot be listed, so there is a text box, and no top list. */
    @Test
    void withoutAnIndexOneLabelIsAskedFor() throws IOException {
        JsonNode votes = dashboard("votes");

        assertThat(expressions(votes)).containsExactly("sum (windrow_votes_votes{candidate=\"$label_candidate\"})");
        assertThat(votes.at("/templating/list").findValuesAsText("type")).containsExactly("datasource", "textbox");
        assertThat(expressions(dashboard("referrers-of-url"))).last().asString()
                .isEqualTo("topk(10, sum by (referrer) (increase(windrow_referrers_of_url_views{url=\"$label_url\","
                        + "referrer=~\"$label_referrer\"}[$__range])))");
    }

    @Test
    void anUnknownDatasetOrAnotherMethodIsAProblem() {
        Response unknown = given().get("/api/v1/datasets/nothing/dashboard");
        Response posted = given().post("/api/v1/datasets/clicks/dashboard");

        assertThat(unknown.statusCode()).isEqualTo(404);
        assertThat(unknown.jsonPath().getString("type")).endsWith("unknown-dataset");
        assertThat(posted.statusCode()).isEqualTo(405);
        assertThat(posted.header("Allow")).isEqualTo("GET, HEAD, OPTIONS");
    }
}
