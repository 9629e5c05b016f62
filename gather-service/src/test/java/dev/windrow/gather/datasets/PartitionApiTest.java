package dev.windrow.gather.datasets;

import static dev.windrow.gather.datasets.Api.ask;
import static dev.windrow.gather.datasets.Api.get;
import static dev.windrow.gather.datasets.Api.problem;
import static dev.windrow.gather.datasets.Api.with;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.windrow.gather.testing.Aggregated;
import dev.windrow.gather.testing.TableTest;
import dev.windrow.table.Label;
import dev.windrow.time.Granularity;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;

/**
 * Reads the URLs of a referrer, and the referrers of a URL, each from one item collection of the table. The model test compares
 * the answers.
 */
@QuarkusTest
class PartitionApiTest extends TableTest {

    private static final String TENANT = "partition";
    private static final String URLS_OF_REFERRER = "urls-of-referrer";
    private static final String REFERRERS_OF_URL = "referrers-of-url";
    private static final Instant FIRST = Instant.parse("2026-11-01T00:00:00Z");

    @Test
    void theUrlsOfAReferrerAreOneRangeOfEachKeyShard() {
        JsonPath top = get(URLS_OF_REFERRER + "/top", "tenant", TENANT, "by", "views", "label", "https://a.example/", "from",
                "2026-11-03T00:00:00Z", "to", "2026-11-10T00:00:00Z", "consistent", true, "explain", true).jsonPath();

        assertThat(top.getList("explain.plan.source")).containsExactly("table");
        assertThat(top.getString("explain.plan[0].granularity")).isEqualTo("day");
        assertThat(top.getInt("explain.shards")).as("key shards").isEqualTo(2);
    }

    @Tag("slow")
    @Test
    void oneReferrerAmongTenThousandCostsLittleBesideTheFilteredIndex() {
        List<String> datasetNames = List.of(URLS_OF_REFERRER, "urls-of-referrer-in-index");
        for (String name : datasetNames) {
            Aggregated written = events("many-referrers", name);
            IntStream.range(0, 10_000).forEach(i -> written.event(Label.of("r" + i, "/" + i % 7), FIRST, "1",
                    List.of(Granularity.DAY)));
            IntStream.range(0, 20).forEach(i -> written.event(Label.of("r5000", "/" + i), FIRST, "1",
                    List.of(Granularity.DAY)));
            written.writeTo(client, "windrow");
        }
        List<JsonPath> answers = datasetNames.stream().map(name -> get(name + "/top", "tenant", "many-referrers", "by", "views",
                "n", 30, "label", "r5000", "from", FIRST.toString(), "to", FIRST.plus(Duration.ofDays(1)).toString(), "explain",
                true).jsonPath()).toList();

        System.out.println("read units of one referrer among 10,000, from the table and from the index: " + answers.stream()
                .map(answer -> answer.getDouble("explain.readUnits")).toList());
        assertThat(answers.get(0).getList("items")).hasSize(20).isEqualTo(answers.get(1).getList("items"));
        assertThat(answers.get(0).getDouble("explain.readUnits")).isLessThanOrEqualTo(2);
        assertThat(answers.get(1).getDouble("explain.readUnits")).isGreaterThan(100);
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
        assertThat(without.getString("detail")).contains("needs an index");
    }
}
