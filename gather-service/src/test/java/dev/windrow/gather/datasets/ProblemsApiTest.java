package dev.windrow.gather.datasets;

import static dev.windrow.gather.datasets.Api.problem;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;

@QuarkusTest
class ProblemsApiTest {

    private static final String BASE = "/api/v1/datasets/";

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "clicks/buckets?granularity=minute&limits=3 | 400 | unknown-parameter | limits",
            "clicks/buckets | 400 | missing-parameter | granularity",
            "clicks/buckets?granularity=day | 400 | invalid-parameter | granularity",
            "clicks/buckets?granularity=fortnight | 400 | invalid-parameter | granularity",
            "votes/buckets | 400 | invalid-parameter | dataset",
            "clicks/buckets?granularity=minute&limit=0 | 400 | invalid-parameter | limit",
            "clicks/buckets?granularity=minute&limit=10001 | 400 | invalid-parameter | limit",
            "clicks/buckets?granularity=minute&limit=1&limit=2 | 400 | invalid-parameter | limit",
            "clicks/buckets?granularity=minute&order=up | 400 | invalid-parameter | order",
            "clicks/buckets?granularity=minute&from=yesterday | 400 | invalid-time | from",
            "clicks/buckets?granularity=minute&from=2026-02-30 | 400 | invalid-time | from",
            "clicks/buckets?granularity=minute&from=2026-11-20T10:00:00 | 400 | invalid-time | from",
            "clicks/buckets?granularity=minute&to=157766400000 | 400 | invalid-time | to",
            "clicks/buckets?granularity=minute&from=%2B10000-01-01T00:00:00%2B00:01 | 400 | invalid-time | from",
            "clicks/buckets?granularity=minute&from=-P1X | 400 | invalid-parameter | from",
            "clicks/buckets?granularity=minute&from=2026-11-20T10:00:00Z&to=2026-11-20T09:00:00Z | 400 | invalid-parameter | to",
            "clicks/buckets?granularity=minute&last=7y | 400 | invalid-parameter | last",
            "clicks/buckets?granularity=minute&last=7d&to=now | 400 | invalid-parameter | last",
            "clicks/buckets?granularity=minute&cursor=AAAA | 400 | invalid-cursor | cursor",
            "clicks/buckets?granularity=minute&cursor=%25 | 400 | invalid-cursor | cursor",
            "clicks/buckets?granularity=minute&timeout=0s | 400 | invalid-parameter | timeout",
            "clicks/buckets?granularity=minute&partial=maybe | 400 | invalid-parameter | partial",
            "clicks/buckets?granularity=minute&label=a&label=b | 400 | invalid-parameter | label",
            "clicks/buckets?granularity=minute&tenant=a%23b | 400 | invalid-tenant | tenant",
            "nothing/buckets?granularity=minute | 404 | unknown-dataset | dataset",
            "clicks/series | 400 | missing-parameter | granularity",
            "clicks/series?granularity=hour&consistent=true | 400 | invalid-parameter | consistent",
            "clicks/series?granularity=hour&group=best | 400 | invalid-parameter | group",
            "clicks/series?granularity=hour&group=top | 400 | missing-parameter | by",
            "clicks/series?granularity=hour&group=top&by=events&n=0 | 400 | invalid-parameter | n",
            "clicks/series?granularity=hour&group=top&by=events&other=yes | 400 | invalid-parameter | other",
            "clicks/series?granularity=hour&other=true | 400 | invalid-parameter | other",
            "clicks/series?granularity=hour&n=3 | 400 | invalid-parameter | n",
            "clicks/series?granularity=hour&least=events:3 | 400 | invalid-parameter | least",
            "clicks/series?granularity=hour&groupBy=referrer | 400 | invalid-parameter | groupBy",
            "clicks/series?granularity=hour&by=events | 400 | invalid-parameter | by",
            "visits/top?groupBy=nothing | 400 | invalid-parameter | groupBy",
            "visits/top?groupBy=host&groupBy=host | 400 | invalid-parameter | groupBy",
            "visits/top?groupBy=host&groupBy=page&groupBy=x | 400 | invalid-parameter | groupBy",
            "visits/top?where=host | 400 | invalid-parameter | where",
            "visits/top?where=city:Berlin | 400 | invalid-parameter | where",
            "visits/top?where=:x | 400 | invalid-parameter | where",
            "visits/position?label=a&label=b&where=host:a | 400 | unknown-parameter | where",
            "visits/top?least=events | 400 | invalid-parameter | least",
            "visits/top?least=nothing:3 | 400 | invalid-parameter | least",
            "visits/top?least=events:1e3 | 400 | invalid-parameter | least",
            "visits/top?order=up | 400 | invalid-parameter | order",
            "visits/top?against=previous | 400 | missing-parameter | from",
            "visits/top?last=1d&against=decade | 400 | invalid-parameter | against",
            "visits/top?last=1d&against=day&againstFrom=2026-11-20T10:00:00Z | 400 | invalid-parameter | against",
            "visits/top?from=2026-11-20T10:00:00Z&againstFrom=soon | 400 | invalid-time | againstFrom",
            "clicks/series?granularity=hour&order=up | 400 | invalid-parameter | order",
            "clicks/series?granularity=hour&limit=0 | 400 | invalid-parameter | limit",
            "clicks/series?granularity=hour&limit=10001 | 400 | invalid-parameter | limit",
            "clicks/series?granularity=hour&label=a&prefix=b | 400 | invalid-parameter | prefix",
            "votes/series?granularity=forever | 400 | invalid-parameter | dataset",
            "visits/series?granularity=day&label=h&consistent=true | 400 | invalid-parameter | consistent",
            "visits/totals?label=h&consistent=true | 400 | invalid-parameter | consistent",
            "visits/totals?label=h&label=p&label=x | 400 | invalid-parameter | label",
            "votes/totals | 400 | invalid-parameter | dataset",
            "clicks/series?granularity=second&label=h | 400 | invalid-parameter | granularity",
            "votes/totals?label=a&from=2026-11-20T10:00:00Z | 400 | invalid-parameter | from",
            "clicks/top | 400 | missing-parameter | by",
            "votes/top | 400 | invalid-parameter | dataset",
            "clicks/compare | 400 | missing-parameter | from",
            "clicks/totals?last=next-week | 400 | invalid-parameter | last",
            "clicks/series?granularity=day&label=a&tz=Mars/Base | 400 | invalid-parameter | tz",
            "clicks/series?granularity=day&label=a&rate=hour&cumulative=true | 400 | invalid-parameter | rate",
            "clicks/series?granularity=minute&label=a&from=2025-01-01T00:00:00Z&to=2025-03-01T00:00:00Z&fill=zero | 400 |"
                    + " range-too-long | granularity",
            "clicks/live?granularity=hour&window=9w | 400 | invalid-parameter | window",
            "clicks/live?granularity=hour&from=now | 400 | unknown-parameter | from",
            "clicks/buckets?granularity=hour&limit=%D9%A3 | 400 | invalid-parameter | limit",
            "clicks/buckets?granularity=hour&limit=%2B3 | 400 | invalid-parameter | limit",
            "clicks/totals?from=-P | 400 | invalid-parameter | from",
            "clicks/totals?from=%2BP | 400 | invalid-parameter | from",
            "clicks/totals?from=%2BP9000Y | 400 | invalid-parameter | from",
            "clicks/totals?to=%2B10000-01-01T00:00:00Z | 400 | invalid-time | to",
            "clicks/top?by=events&n=%EF%BC%93 | 400 | invalid-parameter | n",
            "clicks/top?by=events&format=xml | 400 | invalid-parameter | format",
            "clicks/totals?format=csv | 400 | unknown-parameter | format",
            "rides/totals?labels=a | 400 | invalid-parameter | labels",
            "rides/totals?labels=[] | 400 | invalid-parameter | labels",
            "rides/totals?labels=[null] | 400 | invalid-parameter | labels",
            "rides/totals?labels=[[1]] | 400 | invalid-parameter | labels",
            "rides/totals?labels=[1]%20x | 400 | invalid-parameter | labels",
            "rides/totals?labels=[1,2,3,4] | 400 | invalid-parameter | labels",
            "rides/totals?labels=[1]&label=a | 400 | invalid-parameter | labels",
            "scores/top?by=best&from=2026-11-20T00:00:00Z&against=day&cursor=x | 400 | invalid-parameter | cursor",
    })
    void aWrongQueryIsAProblemThatNamesItsParameter(String query, int status, String reason, String parameter) {
        Response response = given().urlEncodingEnabled(false).get(BASE + query);

        JsonPath problem = problem(response, status, reason);
        assertThat(problem.getString("parameter")).isEqualTo(parameter);
        assertThat(problem.getString("detail")).matches(parameter + ": \\S.{10,}[^.]");
        assertThat(problem.getString("instance")).isEqualTo(BASE + query.replaceFirst("\\?.*", ""));
    }

    @Test
    void whatIsIndexedIsNamed() {
        assertThat(given().get(BASE + "clicks/buckets?granularity=day").jsonPath().getString("detail"))
                .contains("minute, hour");
    }

    @Test
    void aLabelThatFitsNoKeyIsAProblemAndNotTruncated() {
        problem(given().queryParam("label", "x".repeat(2_100)).get(BASE + "clicks/totals"), 400, "key-too-long");
    }

    @Test
    void aProblemsTypeLeadsToItsExplanation() {
        String type = given().get(BASE + "nothing/buckets").jsonPath().getString("type");

        Response explanation = given().get(type);

        assertThat(explanation.jsonPath().getString("title")).isEqualTo("no such dataset");
        assertThat(explanation.jsonPath().getInt("status")).isEqualTo(404);
        problem(given().get("/api/v1/problems/made-up"), 404, "not-found");
    }
}
