package dev.windrow.gather.security;

import static dev.windrow.gather.page.Tab.until;
import static dev.windrow.gather.security.TwoTenants.requireEvents;
import static dev.windrow.gather.security.TwoTenants.requireRefused;
import static dev.windrow.gather.security.TwoTenants.totals;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;

import org.jboss.logmanager.LogContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.gather.http.RawHttp;
import dev.windrow.gather.http.RawHttp.Answer;
import dev.windrow.gather.page.Chromium;
import dev.windrow.gather.page.Tab;
import dev.windrow.gather.testing.ManagementPort;
import dev.windrow.gather.testing.TableTest;
import dev.windrow.local.network.PrivateAuthority;
import dev.windrow.table.Label;
import dev.windrow.testing.LogLines;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;

/** Static keys, over TLS, and from a page of another origin. */
@QuarkusTest
@Tag("slow")
@TestProfile(ApiKeyApiTest.WithKeys.class)
class ApiKeyApiTest extends TableTest {

    /** The only other origin whose pages may use the gatherer, configured as in docs/gather-api.md. */
    private static final String PAGE = "https://dashboard.example";
    static final String ACME = "acme-0123456789abcdef0123456789abcdef";
    private static final String OTHER = "other-0123456789abcdef0123456789abcdef";

    private static final String STATE = "#dataset=clicks&last=&from=2026-11-20T00:00:00Z&to=2026-11-21T00:00:00Z";
    private static final String QUESTION = "/api/v1/datasets/clicks/totals?label=a";
    private static final String OPEN = "dialog.sign-in[open]";

    /** Keys as an operator would create them: the service sees only hashes. */
    public static class WithKeys implements QuarkusTestProfile {

        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of("windrow.gather.authentication.type", "api-key",
                    "windrow.gather.authentication.api-keys-file", "src/test/resources/api-keys.yaml",
                    "quarkus.http.cors.enabled", "true", "quarkus.http.cors.origins", PAGE,
                    "quarkus.http.test-ssl-port", "0",
                    "quarkus.http.tls-configuration-name", "api",
                    "quarkus.tls.api.key-store.p12.path", PrivateAuthority.create("localhost").keyStore().toString(),
                    "quarkus.tls.api.key-store.p12.alias", PrivateAuthority.SERVER,
                    "quarkus.tls.api.key-store.p12.alias-password", PrivateAuthority.PASSWORD,
                    "quarkus.tls.api.key-store.p12.password", PrivateAuthority.PASSWORD);
        }
    }

    @TestHTTPResource("/")
    URI plain;

    @TestHTTPResource(value = "/", tls = true)
    URI secure;

    @BeforeEach
    void write() {
        TwoTenants.write(client, datasets);
    }

    @Test
    void thePageIsPublicAndTheApiIsNot() {
        TwoTenants.requirePublicPageOnly();
    }

    @Test
    void aKeyReadsItsOwnTenantAndNoOther() {
        requireEvents(1, totals(given().header("Authorization", "Bearer " + ACME)));
        requireEvents(2, totals(given().header("X-API-Key", OTHER)));
        requireEvents(2, totals(given().header("X-API-Key", OTHER).queryParam("tenant", "other")));
        requireRefused(403, "forbidden", totals(given().header("X-API-Key", OTHER).queryParam("tenant", "acme")));
        requireRefused(403, "forbidden", totals(given().header("X-API-Key", OTHER).queryParam("tenant", "default")));
    }

    /** The request's body never arrives, so an answer shows that the service did not wait for it. */
    @ParameterizedTest
    @ValueSource(strings = { "/api/v1/datasets/clicks/totals, application/json",
            "/api/v1/prometheus/api/v1/query, application/x-www-form-urlencoded" })
    @Tag("prometheus")
    void theBodyOfAStrangerIsNotRead(String request) {
        String[] parts = request.split(", ", -1);
        RawHttp http = new RawHttp();

        RawHttp.Answer sized = http.request("POST", parts[0], "", "Content-Type: " + parts[1], "Content-Length: 1000");
        RawHttp.Answer chunked = http.request("POST", parts[0], "3\r\n{ \r\n", "Content-Type: " + parts[1],
                "Transfer-Encoding: chunked", "X-API-Key: wrong");

        assertThat(List.of(sized.status(), chunked.status())).as(sized + "\n" + chunked).containsOnly(401);
        assertThat(given().header("X-API-Key", ACME).contentType("application/json").body("{\"label\":\"a\"}")
                .post("/api/v1/datasets/clicks/totals").statusCode()).isEqualTo(200);
    }

    @Test
    void aCursorOfAnotherTenantIsRefused() {
        String pages = "/api/v1/datasets/clicks/buckets?granularity=minute&limit=1";
        events("acme", "clicks")
                .event("a", "2026-11-20T10:00:00Z").event("b", "2026-11-20T10:00:00Z").writeTo(client, "windrow");
        String next = given().header("X-API-Key", ACME).get(pages).jsonPath().getString("next");

        assertThat(given().header("X-API-Key", ACME).queryParam("cursor", next).get(pages).statusCode()).isEqualTo(200);
        requireRefused(400, "invalid-cursor", given().header("X-API-Key", OTHER).queryParam("cursor", next).get(pages));
    }

    @Test
    void cachedPagesOfOneTenantAreNeverSentToAnother() {
        String closed = "/api/v1/datasets/clicks/buckets?granularity=minute&from=2026-11-20T09:00:00Z"
                + "&to=2026-11-20T11:00:00Z";
        Response acme = given().header("X-API-Key", ACME).get(closed);
        double hits = ManagementPort.sum("cache_gets_total", "result=\"hit\"");

        Response again = given().header("X-API-Key", ACME).get(closed);
        double hitsOfAcme = ManagementPort.sum("cache_gets_total", "result=\"hit\"");
        Response other = given().header("X-API-Key", OTHER).get(closed);

        assertThat(hitsOfAcme).as("the first tenant's pages were kept").isGreaterThan(hits);
        assertThat(List.of(acme, again, other)).extracting(answer -> answer.jsonPath().getInt("items[0].measures.events"))
                .containsExactly(1, 1, 2);
        assertThat(List.of(acme, again, other)).allSatisfy(answer -> {
            assertThat(answer.headers().getValues("Cache-Control")).as("for its reader alone").hasSize(1)
                    .allMatch(value -> value.startsWith("private, max-age="));
            assertThat(answer.header("Vary")).contains("Authorization", "X-API-Key");
        });
        assertThat(other.header("ETag")).isNotEqualTo(acme.header("ETag"));
        assertThat(given().header("X-API-Key", OTHER).header("If-None-Match", acme.header("ETag")).get(closed).statusCode())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = { "datasets", "datasets/clicks/buckets?granularity=minute&format=csv",
            "datasets/clicks/buckets?granularity=minute&format=ndjson",
            "datasets/clicks/series?label=a&granularity=hour&format=csv", "prometheus/api/v1/query?query=windrow_clicks_events",
            "prometheus/api/v1/labels" })
    @Tag("prometheus")
    void whateverAKeyReadsIsForItsReaderAlone(String path) {
        Response answer = given().header("X-API-Key", ACME).get("/api/v1/" + path);

        assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(200);
        assertThat(answer.headers().getValues("Cache-Control")).containsExactly("private, no-cache");
        assertThat(answer.headers().getValues("Vary"))
                .containsExactly("Accept, Accept-Encoding, Authorization, Origin, X-API-Key");
    }

    @Test
    @Tag("prometheus")
    void prometheusClientsReadTheTenantOfTheirKeyAndNoOther() {
        Response acme = prometheus(given().header("X-API-Key", ACME));
        Response other = prometheus(given().header("Authorization", "Bearer " + OTHER));
        Response foreign = prometheus(given().header("X-API-Key", OTHER).queryParam("tenant", "acme"));
        Response nobody = prometheus(given());

        assertThat(List.of(acme, other)).extracting(answer -> answer.jsonPath().getString("data.result[0].value[1]"))
                .containsExactly("1", "2");
        assertThat(foreign.statusCode()).isEqualTo(403);
        assertThat(foreign.jsonPath().getString("reason")).isEqualTo("forbidden");
        assertThat(nobody.statusCode()).isEqualTo(401);
        assertThat(nobody.header("WWW-Authenticate")).isEqualTo("Bearer");
        assertThat(nobody.jsonPath().getString("status")).isEqualTo("error");
        assertThat(nobody.jsonPath().getString("error")).contains("'Bearer'", "X-API-Key");
        assertThat(given().get("/api/v1/prometheus/api/v1/labels").statusCode()).isEqualTo(401);
    }

    private static Response prometheus(RequestSpecification request) {
        return request.queryParam("query", "sum(windrow_clicks_events{referrer=\"a\"})").get("/api/v1/prometheus/api/v1/query");
    }

    @Test
    void withoutAValidKeyNothingIsAnswered() {
        requireRefused(401, "unauthenticated", totals(given()));
        requireRefused(401, "unauthenticated", totals(given().header("X-API-Key", ACME.toUpperCase(Locale.ROOT))));
        requireRefused(401, "unauthenticated", totals(given().header("X-API-Key", "")));
        requireRefused(401, "unauthenticated", totals(given().header("Authorization", "Basic " + ACME)));
        requireRefused(401, "unauthenticated", totals(given().header("Authorization", "Bearer")));
        requireRefused(401, "unauthenticated", totals(given().queryParam("tenant", "acme")));
    }

    /** A client with a key is not a visited web page of a stranger. */
    @Test
    void withAKeyTheServiceMayHaveAnyName() {
        RawHttp http = new RawHttp();

        assertThat(http.send("GET /api/v1/datasets HTTP/1.1\r\nHost: evil.example\r\nX-API-Key: " + ACME
                + "\r\nConnection: close\r\n\r\n").status()).isEqualTo(200);
        assertThat(http.send("GET /api/v1/datasets HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n").status())
                .isEqualTo(401);
    }

    @Test
    void noDetourLeadsPastTheKey() {
        HostilePaths.requireNothingDisclosed();
        HostilePaths.requireNothingDisclosed("X-API-Key: wrong-" + ACME);
    }

    @Test
    void reasonsHealthAndMetricsNeedNoKey() {
        assertThat(given().get("/api/v1/problems/unauthenticated").statusCode()).isEqualTo(200);
        assertThat(ManagementPort.get("/q/health/live").statusCode()).isEqualTo(200);
        assertThat(ManagementPort.get("/q/metrics").statusCode()).isEqualTo(200);
    }

    @Test
    void theDescriptionSaysWhereAKeyIsNeededAndHowItIsSent() {
        assertThat(DescribedCredentials.requireTrue()).isGreaterThan(10);

        JsonPath description = DescribedCredentials.description();
        assertThat(description.getMap("components.securitySchemes.key"))
                .containsAllEntriesOf(Map.of("type", "apiKey", "in", "header", "name", "X-API-Key"));
        assertThat(description.getMap("components.securitySchemes.bearer-key"))
                .containsAllEntriesOf(Map.of("type", "http", "scheme", "bearer"));
        // either of them is enough, and it may belong to another tenant
        String totals = "paths.'/api/v1/datasets/{dataset}/totals'.get";
        assertThat(description.getList(totals + ".security")).containsExactly(Map.of("key", List.of()),
                Map.of("bearer-key", List.of()));
        assertThat(description.getMap(totals + ".responses")).containsKey("403");
        assertThat(description.getMap("paths.'/api/v1/datasets'.get.responses")).doesNotContainKey("403");
    }

    @Test
    void tlsIsOfferedWhereACertificateIsSet() {
        requireEvents(1, totals(given().relaxedHTTPSValidation().baseUri(secure.toString()).port(secure.getPort())
                .header("X-API-Key", ACME)));
    }

    @Test
    void noKeyIsEverLogged() {
        Logger own = LogContext.getLogContext().getLogger("dev.windrow");
        Level before = own.getLevel();
        own.setLevel(Level.ALL);
        try (LogLines logged = LogLines.of(LogContext.getLogContext().getLogger(""),
                entry -> entry.getMessage() + Arrays.toString(entry.getParameters()) + entry.getThrown())) {
            totals(given().header("X-API-Key", ACME));
            totals(given().header("Authorization", "Bearer wrong-" + ACME));
            totals(given().header("X-API-Key", ACME).queryParam("tenant", "other"));

            assertThat(logged.all()).anyMatch(entry -> entry.contains("/api/v1/datasets/clicks/totals"))
                    .noneMatch(entry -> entry.contains("0123456789abcdef"));
        } finally {
            own.setLevel(before);
        }
    }

    @Test
    void thePageAsksForAKeyAndKeepsItInMemoryOnly() {
        events("acme", "clicks")
                .event(Label.of("fresh"), Instant.now(), "1").writeTo(client, "windrow");
        try (Chromium chromium = Chromium.start(); Tab tab = chromium.tab()) {
            tab.go(plain + STATE);
            until(() -> tab.has(OPEN));
            assertThat(tab.text("#notice")).contains("(unauthenticated)");

            signIn(tab, "wrong");
            until(() -> tab.has(OPEN));
            signIn(tab, ACME);

            tab.awaitState("complete", "top-referrer");
            assertThat(tab.rows("#panel-top-referrer").get(0)).startsWith("a").contains("1");
            assertThat(tab.string("JSON.stringify([localStorage, sessionStorage, document.cookie, location.href, "
                    + "document.documentElement.outerHTML])")).doesNotContain(ACME)
                    .contains("$WINDROW_CREDENTIAL");

            // Another tenant's data is refused, and the page shows this.
            assertThat(tab.has("[name=tenant]")).isFalse();
            tab.evaluate("location.hash += '&tenant=other'");
            tab.awaitState("problem", "top-referrer");
            until(() -> tab.text("#notice").contains("(forbidden)"));
            tab.choose("tenant", "");
            tab.awaitState("complete", "top-referrer");

            tab.choose("refresh", "live");
            until(() -> !tab.rows("#panel-live").isEmpty());
            tab.awaitState("complete", "top-referrer");

            tab.click("[name=sign-out]");
            until(() -> tab.has(OPEN));
            // Signing out removes the data along with the credential.
            assertThat(tab.has("section.panel :is(tbody tr, .query)")).isFalse();
            assertThat(tab.has("#panel-live[hidden]")).isTrue();
            tab.screenshot("sign-in");
        }
    }

    private static void signIn(Tab tab, String credential) {
        tab.focus(OPEN + " input");
        tab.type(credential);
        tab.press("Enter");
    }

    @Test
    void thePreflightNeedsNoKeyAndAllowsOne() {
        Answer preflight = preflight(PAGE);

        assertThat(preflight.status()).as(preflight.toString()).isEqualTo(200);
        assertThat(preflight.header("Access-Control-Allow-Origin")).hasValue(PAGE);
        assertThat(preflight.header("Access-Control-Allow-Methods").orElse("")).contains("GET");
        assertThat(preflight.header("Access-Control-Allow-Headers").orElse("").toLowerCase(Locale.ROOT))
                .contains("x-api-key");
        assertThat(preflight.body()).isEmpty();
    }

    @Test
    void theQuestionNeedsTheKey() {
        RawHttp http = new RawHttp();

        Answer answered = http.get(QUESTION, "Origin: " + PAGE, "X-API-Key: " + ACME);
        Answer refused = http.get(QUESTION, "Origin: " + PAGE);

        assertThat(answered.status()).as(answered.toString()).isEqualTo(200);
        assertThat(answered.header("Access-Control-Allow-Origin")).hasValue(PAGE);
        assertThat(answered.header("Access-Control-Expose-Headers").orElse("")).contains("ETag", "Link", "Retry-After");
        assertThat(answered.header("Vary").orElse("")).as("it names the origin").contains("Origin");
        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.isProblem()).as(refused.toString()).isTrue();
        assertThat(refused.header("Access-Control-Allow-Origin")).as("so that the page can read the problem").hasValue(PAGE);
    }

    @Test
    void otherPagesAreRefused() {
        Answer preflight = preflight("https://elsewhere.example");
        Answer refused = new RawHttp().get(QUESTION, "Origin: https://elsewhere.example",
                "X-API-Key: " + ACME);

        assertThat(preflight.header("Access-Control-Allow-Origin")).isEmpty();
        assertThat(refused.header("Access-Control-Allow-Origin")).isEmpty();
        assertThat(refused.status()).as(refused.toString()).isEqualTo(403);
        assertThat(refused.body()).as("no page may read it").isEmpty();
    }

    private Answer preflight(String origin) {
        return new RawHttp().request("OPTIONS", QUESTION, "", "Origin: " + origin,
                "Access-Control-Request-Method: GET", "Access-Control-Request-Headers: x-api-key");
    }
}
