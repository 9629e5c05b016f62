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

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.base.KeyCodec;
import dev.windrow.gather.testing.Aggregated;
import dev.windrow.gather.testing.TableTest;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

@QuarkusTest
class BucketsApiTest extends TableTest {

    /** A tenant of its own: other tests write for the default one. */
    private static final String TENANT = "bucket-pages";
    private static final String CLICKS = "clicks/buckets?tenant=" + TENANT;

    private static boolean written;

    @BeforeEach
    void write() {
        if (written) {
            return;
        }
        Aggregated clicks = events(TENANT, "clicks");
        for (int minute = 10; minute < 40; minute++) {
            for (String referrer : List.of("https://a.example/", "https://b.example/", "-")) {
                clicks.event(referrer, "2026-11-20T10:" + minute + ":07Z").event(referrer, "2026-11-20T10:" + minute + ":08Z");
            }
        }
        clicks.writeTo(client, "windrow");
        written = true;
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
}
