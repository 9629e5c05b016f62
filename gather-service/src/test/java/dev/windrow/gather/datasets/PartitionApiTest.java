package dev.windrow.gather.datasets;

import static dev.windrow.gather.datasets.Api.ask;
import static dev.windrow.gather.datasets.Api.get;
import static dev.windrow.gather.testing.Draws.any;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import dev.windrow.dataset.Granularity;
import dev.windrow.gather.testing.Aggregated;
import dev.windrow.gather.testing.TableTest;
import dev.windrow.table.Label;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;

/** Which URLs a referrer leads to, and which referrers lead to a URL: each from one item collection of the table. */
@QuarkusTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PartitionApiTest extends TableTest {

    private static final String TENANT = "partition";
    private static final String URLS_OF_REFERRER = "urls-of-referrer";
    private static final String REFERRERS_OF_URL = "referrers-of-url";
    private static final Instant FIRST = Instant.parse("2026-11-01T00:00:00Z");
    private static final int HOURS = 240;
    private static final int EVENTS = 400;

    private static final List<String> REFERRERS = List.of("https://a.example/", "https://a.example/#b", "");
    private static final List<String> URLS = List.of("/", "/a", "/a#b", "/a/b", "/ a", "");

    private final List<View> views = new ArrayList<>();

    private record View(String referrer, String url, Instant time, int bytes) {
    }

    @BeforeAll
    void writeEvents() {
        SplittableRandom random = new SplittableRandom(5);
        Aggregated ofReferrer = new Aggregated(TENANT, datasets.named(URLS_OF_REFERRER).orElseThrow(), random.split());
        Aggregated ofUrl = new Aggregated(TENANT, datasets.named(REFERRERS_OF_URL).orElseThrow(), random.split());
        for (int i = 0; i < EVENTS; i++) {
            View view = new View(any(REFERRERS, random), any(URLS, random),
                    FIRST.plusSeconds(random.nextLong(Duration.ofHours(HOURS).toSeconds())), random.nextInt(-20, 100));
            views.add(view);
            ofReferrer.event(Label.of(view.referrer, view.url), view.time, Integer.toString(view.bytes));
            ofUrl.event(Label.of(view.url, view.referrer), view.time, Integer.toString(view.bytes));
        }
        ofReferrer.writeTo(client, "windrow");
        ofUrl.writeTo(client, "windrow");
    }

    @Test
    void theUrlsOfAReferrerAreOneRangeOfEachKeyShard() {
        Instant from = FIRST.plus(Duration.ofDays(2));
        Instant to = FIRST.plus(Duration.ofDays(9));
        JsonPath top = get(URLS_OF_REFERRER + "/top", "tenant", TENANT, "by", "views", "label", REFERRERS.get(0), "from",
                from.toString(), "to", to.toString(), "consistent", true, "explain", true).jsonPath();

        assertThat(viewsByLabel(top)).isEqualTo(perLabel(view -> view.referrer.equals(REFERRERS.get(0))
                && !view.time.isBefore(from) && view.time.isBefore(to), view -> List.of(view.referrer, view.url)));
        assertThat(top.getList("explain.plan.source")).containsExactly("table");
        assertThat(top.getString("explain.plan[0].granularity")).isEqualTo("day");
        assertThat(top.getInt("explain.shards")).as("key shards").isEqualTo(2);
    }

    @Tag("slow")
    @Test
    void oneReferrerAmongTenThousandCostsLittleBesideTheFilteredIndex() {
        List<String> datasetNames = List.of(URLS_OF_REFERRER, "urls-of-referrer-in-index");
        for (String name : datasetNames) {
            Aggregated written = new Aggregated("many-referrers", datasets.named(name).orElseThrow(), new SplittableRandom(3));
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
        for (List<Object> parameters : List.of(List.<Object> of("label", List.of("r", "x".repeat(1_020))),
                List.<Object> of("label", "r", "prefix", "x".repeat(1_020)))) {
            List<Object> query = new ArrayList<>(List.of("tenant", TENANT, "last", "2h"));
            query.addAll(parameters);
            Response answer = ask(URLS_OF_REFERRER + "/totals", query.toArray());

            assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(400);
            assertThat(answer.jsonPath().getString("type")).endsWith("key-too-long");
        }
    }

    @Test
    void whatIsNotInOnePartitionIsReadFromTheIndexAndNeverConsistent() {
        JsonPath all = get(URLS_OF_REFERRER + "/totals", "tenant", TENANT, "explain", true).jsonPath();
        Response consistent = ask(URLS_OF_REFERRER + "/top", "tenant", TENANT, "by", "views", "consistent", true);
        Response without = ask(REFERRERS_OF_URL + "/top", "tenant", TENANT, "by", "views");

        assertThat(all.getList("explain.plan.source")).containsOnly("index");
        assertThat(all.getLong("measures.views")).isEqualTo(EVENTS);
        assertThat(consistent.statusCode()).isEqualTo(400);
        assertThat(consistent.jsonPath().getString("detail"))
                .contains("consistent: expected false, or a value of `label` for each of referrer: other labels");
        assertThat(without.statusCode()).isEqualTo(400);
        assertThat(without.jsonPath().getString("detail")).contains("expected a dataset with an index");
    }

    private static Map<String, Long> viewsByLabel(JsonPath top) {
        List<List<String>> labels = top.getList("items.label");
        List<Number> counts = top.getList("items.measures.views");
        Map<String, Long> found = new TreeMap<>();
        IntStream.range(0, labels.size()).forEach(i -> found.put(labels.get(i).toString(), counts.get(i).longValue()));
        return found;
    }

    private Map<String, Long> perLabel(Predicate<View> wanted, Function<View, List<String>> label) {
        return views.stream().filter(wanted).collect(
                Collectors.groupingBy(view -> label.apply(view).toString(), TreeMap::new, Collectors.counting()));
    }
}
