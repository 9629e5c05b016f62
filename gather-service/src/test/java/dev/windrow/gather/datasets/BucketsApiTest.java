package dev.windrow.gather.datasets;

import static dev.windrow.gather.datasets.Api.ask;
import static dev.windrow.gather.datasets.Api.get;
import static dev.windrow.gather.datasets.Api.json;
import static dev.windrow.gather.datasets.Api.next;
import static io.restassured.RestAssured.given;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.SplittableRandom;

import jakarta.inject.Inject;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.base.KeyCodec;
import dev.windrow.dataset.Datasets;
import dev.windrow.gather.testing.Aggregated;
import dev.windrow.gather.testing.EmbeddedTable;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

@QuarkusTest
@QuarkusTestResource(EmbeddedTable.class)
class BucketsApiTest {

    /** A tenant of its own: other tests write for the default one. */
    private static final String TENANT = "bucket-pages";
    private static final String CLICKS = "clicks/buckets?tenant=" + TENANT;

    @Inject
    DynamoDbAsyncClient client;

    @Inject
    Datasets datasets;

    private static boolean written;

    @BeforeEach
    void write() {
        if (written) {
            return;
        }
        Aggregated clicks = new Aggregated(TENANT, datasets.named("clicks").orElseThrow(), new SplittableRandom(1));
        for (int minute = 10; minute < 40; minute++) {
            for (String referrer : List.of("https://a.example/", "https://b.example/", "-")) {
                clicks.event(referrer, "2026-11-20T10:" + minute + ":07Z").event(referrer, "2026-11-20T10:" + minute + ":08Z");
            }
        }
        clicks.writeTo(client, "windrow");
        written = true;
    }

    @Test
    void bucketsOfAllShardsComeInTimeOrder() {
        JsonPath page = get(CLICKS, "granularity", "minute", "from", "2026-11-20T10:11:00Z", "to", "2026-11-20T10:13:00Z")
                .jsonPath();

        assertThat(page.getList("items.start")).containsExactly("2026-11-20T10:11:00Z", "2026-11-20T10:11:00Z",
                "2026-11-20T10:11:00Z", "2026-11-20T10:12:00Z", "2026-11-20T10:12:00Z", "2026-11-20T10:12:00Z");
        assertThat(page.getList("items.label")).startsWith(List.of("-"), List.of("https://a.example/"),
                List.of("https://b.example/"));
        assertThat(page.getInt("items[0].measures.events")).isEqualTo(2);
        assertThat(page.getBoolean("complete")).isTrue();
        assertThat(page.getString("asOf")).endsWith("Z");
        assertThat(page.getList("warnings")).isEmpty();
        assertThat(page.getMap("")).doesNotContainKey("next");
    }

    @Test
    void relativePagesKeepTheirRange() {
        Response first = get(CLICKS, "granularity", "minute", "from", "2026-11-20T10:20:00Z", "to", "now", "limit", "2");

        Response second = get(CLICKS, "granularity", "minute", "from", "2026-11-20T10:20:00Z", "to", "now", "limit", "2",
                "cursor", first.jsonPath().getString("next"));

        assertThat(second.jsonPath().getList("items.start")).containsExactly("2026-11-20T10:20:00Z",
                "2026-11-20T10:21:00Z");
        assertThat(first.header("Link")).contains("rel=\"next\"").contains(first.jsonPath().getString("next"));
    }

    @Test
    void aDateIsItsMidnightInTheZone() {
        // Given an event in the last minute of the day before in Berlin, and one in its first
        new Aggregated("dates", datasets.named("clicks").orElseThrow(), new SplittableRandom(3))
                .event("a", "2026-11-19T22:59:00Z").event("a", "2026-11-19T23:00:00Z").writeTo(client, "windrow");

        // When
        Response day = encoded("/api/v1/datasets/clicks/series?tenant=dates&label=a&granularity=hour&tz=Europe/Berlin"
                + "&from=2026-11-20&to=2026-11-21");

        // Then
        assertThat(day.asString()).contains("2026-11-20T00:00:00+01:00").doesNotContain("2026-11-19T");
    }

    @ParameterizedTest
    @ValueSource(strings = { "2026-11-20T11:00:00%2B01:00", "2026-11-20T11:00:00+01:00", "2026-11-20T11:00:00+0100",
            "2026-11-20%2010:00:00Z", "2026-11-20+11:00:00+01", "1795168800", "1795168800000", "1.7951688e9", "2026-11-20" })
    void theLinkLeadsToTheNextPage(String from) {
        new Aggregated("linked", datasets.named("clicks").orElseThrow(), new SplittableRandom(3))
                .event("a b+c", "2026-11-20T10:11:00Z").event("a b+c", "2026-11-20T10:12:00Z").writeTo(client, "windrow");

        Response first = encoded("/api/v1/datasets/clicks/buckets?tenant=linked&granularity=minute&limit=1"
                + "&label=a%20b%2Bc&from=" + from);
        String link = first.header("Link");
        Response second = encoded(link.substring(1, link.indexOf('>')));

        assertThat(second.jsonPath().getList("items.start")).containsExactly("2026-11-20T10:12:00Z");
    }

    /** Requests an address without encoding it again. */
    private static Response encoded(String address) {
        Response response = given().urlEncodingEnabled(false).get(address);
        assertThat(response.statusCode()).as("%s: %s", address, response.asString()).isEqualTo(200);
        return response;
    }

    @ParameterizedTest
    @CsvSource({ "asc,", "desc,", "asc,-", "desc,-" })
    void aCursorWithAForgedLabelIsInvalid(String order, @Nullable String label) {
        List<Object> query = new ArrayList<>(List.of("granularity", "minute", "order", order, "limit", "1"));
        if (label != null) {
            query.addAll(List.of("label", label));
        }
        String next = next(json(get(CLICKS, query.toArray()))).orElseThrow();
        // Such a label may exist where it is in the partition key of the table, but not in the index.
        String longer = label == null ? "x".repeat(1_100) : "#";
        for (String forgedEnd : List.of(longer, "#", "#another", "#another#0")) {
            // Given
            List<Object> forged = new ArrayList<>(query);
            forged.addAll(List.of("cursor", withLongerPosition(next, forgedEnd)));

            // When
            Response answer = ask(CLICKS, forged.toArray());

            // Then
            assertThat(answer.statusCode()).as("%s: %s", forgedEnd, answer.asString()).isEqualTo(400);
            assertThat(answer.jsonPath().getString("type")).endsWith("/invalid-cursor");
        }
    }

    /** The same cursor with more text at the end of its position, its last part. */
    private static String withLongerPosition(String cursor, String more) {
        List<String> parts = new ArrayList<>(KeyCodec.decode(new String(Base64.getUrlDecoder().decode(cursor), UTF_8)));
        parts.add(parts.remove(parts.size() - 1) + more);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(KeyCodec.encode(parts).getBytes(UTF_8));
    }

    @Test
    void anotherTenantSeesNothing() {
        assertThat(get("clicks/buckets", "granularity", "minute", "tenant", "other").jsonPath().getList("items")).isEmpty();
    }

    @Test
    void aFractionOfASecondMovesTheStartUp() {
        assertThat(starts(get(CLICKS, "granularity", "minute", "from", "2026-11-20T10:38:00.5Z", "label", "-")))
                .containsExactly("2026-11-20T10:39:00Z [-]");
    }

    private static List<String> starts(Response page) {
        List<String> starts = new ArrayList<>();
        json(page).get("items").forEach(item -> starts.add(item.get("start").asText() + " " + Api.texts(item.get("label"))));
        return starts;
    }
}
