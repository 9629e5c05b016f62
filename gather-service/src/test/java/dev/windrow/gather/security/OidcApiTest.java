package dev.windrow.gather.security;

import static dev.windrow.gather.page.Tab.until;
import static dev.windrow.gather.security.TwoTenants.requireEvents;
import static dev.windrow.gather.security.TwoTenants.requireRefused;
import static dev.windrow.gather.security.TwoTenants.totals;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.windrow.gather.page.Chromium;
import dev.windrow.gather.page.Tab;
import dev.windrow.gather.testing.TableTest;
import dev.windrow.testing.Patience;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.restassured.path.json.JsonPath;
import io.restassured.specification.RequestSpecification;

@QuarkusTest
@Tag("slow")
@TestProfile(OidcApiTest.WithTokens.class)
class OidcApiTest extends TableTest {

    private static final String STATE = "#dataset=clicks&last=&from=2026-11-20T00%3A00%3A00Z&to=2026-11-21T00%3A00%3A00Z";
    private static final String PROVIDER = "dialog.sign-in[open] [name=provider]";

    /** Settings of an operator; the provider sets its URL. */
    public static class WithTokens implements QuarkusTestProfile {

        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of("windrow.gather.authentication.type", "oidc", "windrow.gather.authentication.tenant-claim",
                    "organization", "windrow.gather.page.oidc.client-id", OidcProvider.PAGE);
        }

        @Override
        public List<TestResourceEntry> testResources() {
            return List.of(new TestResourceEntry(OidcProvider.class));
        }
    }

    @BeforeEach
    void write() {
        TwoTenants.write(client, datasets);
    }

    @TestHTTPResource("/")
    URI plain;

    @ConfigProperty(name = "quarkus.oidc.auth-server-url")
    String issuer;

    @Test
    void noDetourLeadsPastTheToken() {
        HostilePaths.requireNothingDisclosed();
        HostilePaths.requireNothingDisclosed(
                "Authorization: Bearer "
                        + OidcProvider.token(OidcProvider.key("stranger"), OidcProvider.AUDIENCE, Duration.ofMinutes(10),
                                "organization", "acme"));
    }

    @Test
    void thePageIsPublicAndTheApiIsNot() {
        TwoTenants.requirePublicPageOnly();
    }

    @Test
    void aTokenReadsTheTenantOfItsClaim() {
        requireEvents(1, totals(bearing(OidcProvider.token("organization", "acme"))));
        requireEvents(2, totals(bearing(OidcProvider.token("organization", "other"))));
        requireRefused(403, "forbidden",
                totals(bearing(OidcProvider.token("organization", "acme")).queryParam("tenant", "other")));
    }

    @Test
    void aTokenWithoutTenantReadsNothing() {
        requireRefused(403, "forbidden", totals(bearing(OidcProvider.token("tenant", "acme"))));
        requireRefused(403, "forbidden", totals(bearing(OidcProvider.token("organization", null))));
        requireRefused(403, "forbidden", totals(bearing(OidcProvider.token("organization", "a#b"))));
    }

    @Test
    void whatIsNoValidTokenOfTheProviderIsRefused() {
        requireRefused(401, "unauthenticated", totals(given()));
        requireRefused(401, "unauthenticated", totals(bearing("not.a.token")));
        requireRefused(401, "unauthenticated",
                totals(bearing(
                        OidcProvider.token(OidcProvider.key("forged"), OidcProvider.AUDIENCE, Duration.ofMinutes(10),
                                "organization", "acme"))));
        requireRefused(401, "unauthenticated", totals(bearing(OidcProvider.token(OidcProvider.KEY, OidcProvider.AUDIENCE,
                Duration.ofMinutes(-5), "organization", "acme"))));
        requireRefused(401, "unauthenticated", totals(bearing(OidcProvider.token(OidcProvider.KEY, "another-service",
                Duration.ofMinutes(10), "organization", "acme"))));
    }

    @Test
    void aLiveStreamEndsWithItsToken() throws Exception {
        // Given
        HttpRequest request = HttpRequest.newBuilder(plain.resolve("/api/v1/datasets/clicks/live?granularity=hour&label=a"))
                .header("Authorization", "Bearer " + OidcProvider.token(OidcProvider.KEY, OidcProvider.AUDIENCE,
                        Duration.ofSeconds(4), "organization", "acme"))
                .build();

        // When
        HttpResponse<String> whole = HttpClient.newHttpClient().sendAsync(request, HttpResponse.BodyHandlers.ofString())
                .get(Patience.LIMIT.toMillis(), TimeUnit.MILLISECONDS);

        // Then
        assertThat(whole.statusCode()).isEqualTo(200);
        assertThat(whole.body().strip().lines().toList()).last().asString().contains("\"reason\":\"unauthenticated\"");
        assertThat(whole.body()).contains("event:problem");
    }

    @Test
    void theDescriptionSaysWhereATokenIsNeeded() {
        assertThat(DescribedCredentials.requireTrue()).isGreaterThan(10);

        JsonPath description = DescribedCredentials.description();
        assertThat(description.getMap("components.securitySchemes")).containsOnlyKeys("token");
        assertThat(description.getMap("components.securitySchemes.token"))
                .containsAllEntriesOf(Map.of("type", "http", "scheme", "bearer", "bearerFormat", "JWT"));
        // a token without tenant is refused everywhere
        assertThat(description.getMap("paths.'/api/v1/datasets'.get.responses")).containsKey("403");
    }

    @Test
    void onlyTheProviderIsAllowedBesideThisService() {
        assertThat(given().get("/").header("Content-Security-Policy")).contains("connect-src 'self' " + issuer + ";");
    }

    @Test
    void aUserSignsInAtTheProvider() {
        try (Chromium chromium = Chromium.start(); Tab tab = chromium.tab()) {
            tab.go(plain + STATE);
            until(() -> tab.has(PROVIDER));
            tab.screenshot("sign-in-provider");

            tab.click(PROVIDER);

            // The tenant is that of the token, and the page shows the same view as before.
            tab.awaitState("complete", "top-referrer");
            assertThat(tab.rows("#panel-top-referrer").get(0)).startsWith("a").contains("1");
            assertThat(tab.string("location.href")).isEqualTo(plain + STATE);
            assertThat(tab.string("JSON.stringify([localStorage, sessionStorage, document.cookie])")).isEqualTo("[{},{},\"\"]");

            // Signed out, and refused by the provider.
            OidcProvider.denied = true;
            tab.click("[name=sign-out]");
            until(() -> tab.has(PROVIDER));
            tab.click(PROVIDER);
            awaitNotice(tab, "access_denied: not today");

            // A code that someone else put into the address is not exchanged.
            tab.go(plain + "?code=forged&state=forged" + STATE);
            awaitNotice(tab, "this tab did not start");
            assertThat(tab.string("location.search")).isEmpty();
            tab.click("#notice button");
            until(() -> tab.has(PROVIDER));
        } finally {
            OidcProvider.denied = false;
        }
    }

    /** Waits for a notice; pages during the redirects have none. */
    private static void awaitNotice(Tab tab, String text) {
        until(() -> tab.string("document.querySelector('#notice')?.innerText ?? ''").contains(text));
    }

    private static RequestSpecification bearing(@Nullable String token) {
        return given().header("Authorization", "Bearer " + token);
    }
}
