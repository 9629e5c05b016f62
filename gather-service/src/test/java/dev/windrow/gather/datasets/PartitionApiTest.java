package dev.windrow.gather.datasets;

import static dev.windrow.gather.datasets.Api.ask;
import static dev.windrow.gather.datasets.Api.get;
import static dev.windrow.gather.datasets.Api.problem;
import static dev.windrow.gather.datasets.Api.with;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.api.Test;

import dev.windrow.gather.testing.TableTest;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;

/**
 * Which URLs a referrer leads to, and which referrers lead to a URL: each from one item collection of the table. The model test
 * compares the answers.
 */
@QuarkusTest
class PartitionApiTest extends TableTest {

    private static final String TENANT = "partition";
    private static final String URLS_OF_REFERRER = "urls-of-referrer";
    private static final String REFERRERS_OF_URL = "referrers-of-url";

    @Test
    void theUrlsOfAReferrerAreOneRangeOfEachKeyShard() {
        JsonPath top = get(URLS_OF_REFERRER + "/top", "tenant", TENANT, "by", "views", "label", "https://a.example/", "from",
                "2026-11-03T00:00:00Z", "to", "2026-11-10T00:00:00Z", "consistent", true, "explain", true).jsonPath();

        assertThat(top.getList("explain.plan.source")).containsExactly("table");
        assertThat(top.getString("explain.plan[0].granularity")).isEqualTo("day");
        assertThat(top.getInt("explain.shards")).as("key shards").isEqualTo(2);
    }

    @Test
    void whatNoKeyCanHoldIsAProblem() {
        for (Object[] parameters : new Object[][] { { "label", List.of("r", "x".repeat(1_020)) },
                { "label", "r", "prefix", "x".repeat(1_020) } }) {
            problem(ask(URLS_OF_REFERRER + "/totals", with(parameters, "tenant", TENANT, "last", "2h")), 400, "key-too-long");
        }
    }

    @Test
    void whatIsNotInOnePartitionIsReadFromTheIndexAndNeverConsistent() {
        JsonPath all = get(URLS_OF_REFERRER + "/totals", "tenant", TENANT, "explain", true).jsonPath();
        JsonPath consistent = problem(ask(URLS_OF_REFERRER + "/top", "tenant", TENANT, "by", "views", "consistent", true), 400,
                "invalid-parameter");
        JsonPath without = problem(ask(REFERRERS_OF_URL + "/top", "tenant", TENANT, "by", "views"), 400, "invalid-parameter");

        assertThat(all.getList("explain.plan.source")).containsOnly("index");
        assertThat(consistent.getString("detail"))
                .contains("consistent: expected false, or a value of `label` for each of referrer: other labels");
        assertThat(without.getString("detail")).contains("expected a dataset with an index");
    }
}
