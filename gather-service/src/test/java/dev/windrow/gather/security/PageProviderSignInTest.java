package dev.windrow.gather.security;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.URI;
import java.util.HashMap;
import java.util.Map;

import jakarta.inject.Inject;

import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.windrow.dataset.Datasets;
import dev.windrow.gather.page.Chromium;
import dev.windrow.gather.page.Tab;
import dev.windrow.gather.testing.EmbeddedTable;
import dev.windrow.testing.Patience;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** The page of a service that requires tokens: users sign in at the provider, and come back to what they were looking at. */
@QuarkusTest
@Tag("slow")
@TestProfile(PageProviderSignInTest.WithPage.class)
@QuarkusTestResource(EmbeddedTable.class)
class PageProviderSignInTest {

    private static final String STATE = "#dataset=clicks&last=&from=2026-11-20T00%3A00%3A00Z&to=2026-11-21T00%3A00%3A00Z";
    private static final String OPEN = "dialog.sign-in[open]";
    private static final String PROVIDER = OPEN + " [name=provider]";

    /** As an operator would set it; the provider's URL comes from the provider. */
    public static class WithPage extends OidcApiTest.WithTokens {

        @Override
        public Map<String, String> getConfigOverrides() {
            Map<String, String> settings = new HashMap<>(super.getConfigOverrides());
            settings.put("windrow.gather.page.oidc.client-id", OidcProvider.PAGE);
            return settings;
        }
    }

    @TestHTTPResource("/")
    URI base;

    @ConfigProperty(name = "quarkus.oidc.auth-server-url")
    String issuer;

    @Inject
    DynamoDbAsyncClient client;

    @Inject
    Datasets datasets;

    @Test
    void onlyTheProviderIsAllowedBesideThisService() {
        assertThat(given().get("/").header("Content-Security-Policy")).contains("connect-src 'self' " + issuer + ";");
    }

    @Test
    void aUserSignsInAtTheProvider() {
        assumeTrue(Chromium.installed().isPresent(), Chromium.MISSING);
        TwoTenants.write(client, datasets);
        try (Chromium chromium = Chromium.start(Chromium.installed().orElseThrow()); Tab tab = chromium.tab()) {
            tab.go(base + STATE);
            await().atMost(Patience.LIMIT).until(() -> tab.has(PROVIDER));
            tab.screenshot("sign-in-provider");

            tab.click(PROVIDER);

            // The tenant is that of the token; what was looked at is looked at again.
            tab.awaitState("complete", "top-referrer");
            assertThat(tab.rows("#panel-top-referrer").get(0)).startsWith("a").contains("1");
            assertThat(tab.evaluate("location.href").asText()).isEqualTo(base + STATE);
            assertThat(tab.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie])").asText())
                    .isEqualTo("[{},{},\"\"]");

            // Signed out, and refused by the provider.
            OidcProvider.denied = true;
            tab.click("[name=sign-out]");
            await().atMost(Patience.LIMIT).until(() -> tab.has(PROVIDER));
            tab.click(PROVIDER);
            awaitNotice(tab, "access_denied: not today");

            // A code that someone else has put into the address is not exchanged.
            tab.go(base + "?code=forged&state=forged" + STATE);
            awaitNotice(tab, "this tab did not start");
            assertThat(tab.evaluate("location.search").asText()).isEmpty();
            tab.click("#notice button");
            await().atMost(Patience.LIMIT).until(() -> tab.has(PROVIDER));
            assertThat(tab.faults()).isEmpty();
        } finally {
            OidcProvider.denied = false;
        }
    }

    /** There is none on the pages in between. */
    private static void awaitNotice(Tab tab, String text) {
        await().atMost(Patience.LIMIT).until(
                () -> tab.evaluate("document.querySelector('#notice')?.innerText ?? ''").asText().contains(text));
    }
}
