package dev.windrow.gather.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.URI;
import java.time.Instant;
import java.util.SplittableRandom;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.windrow.dataset.Datasets;
import dev.windrow.gather.page.Chromium;
import dev.windrow.gather.page.Tab;
import dev.windrow.gather.testing.Aggregated;
import dev.windrow.gather.testing.EmbeddedTable;
import dev.windrow.table.Label;
import dev.windrow.testing.Patience;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** The page of a service that requires a key, in a browser; skipped where there is no Chromium. */
@QuarkusTest
@Tag("slow")
@TestProfile(ApiKeyApiTest.WithKeys.class)
@QuarkusTestResource(EmbeddedTable.class)
class PageSignInTest {

    private static final String STATE = "#dataset=clicks&last=&from=2026-11-20T00:00:00Z&to=2026-11-21T00:00:00Z";
    private static final String FORM = "dialog.sign-in";

    @TestHTTPResource("/")
    URI base;

    @Inject
    DynamoDbAsyncClient client;

    @Inject
    Datasets datasets;

    @Test
    void aCredentialIsAskedForAndKeptInMemoryOnly() {
        assumeTrue(Chromium.installed().isPresent(), Chromium.MISSING);
        TwoTenants.write(client, datasets);
        new Aggregated("acme", datasets.named("clicks").orElseThrow(), new SplittableRandom(1))
                .event(Label.of("fresh"), Instant.now(), "1").writeTo(client, "windrow");
        try (Chromium chromium = Chromium.start(Chromium.installed().orElseThrow()); Tab tab = chromium.tab()) {
            tab.go(base + STATE);
            await().atMost(Patience.LIMIT).until(() -> tab.has(FORM + "[open]"));
            assertThat(tab.text("#notice")).contains("(unauthenticated)");

            signIn(tab, "wrong");
            await().atMost(Patience.LIMIT).until(() -> tab.has(FORM + "[open]"));
            signIn(tab, ApiKeyApiTest.ACME);

            tab.awaitState("complete", "top-referrer");
            assertThat(tab.rows("#panel-top-referrer").get(0)).startsWith("a").contains("1");
            assertThat(tab.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie, location.href])").asText())
                    .doesNotContain(ApiKeyApiTest.ACME);
            assertThat(tab.evaluate("document.documentElement.outerHTML").asText()).doesNotContain(ApiKeyApiTest.ACME)
                    .contains("$WINDROW_CREDENTIAL");

            // Another tenant's data is refused, and the page says so.
            assertThat(tab.has("[name=tenant]")).isFalse();
            tab.evaluate("location.hash += '&tenant=other'");
            tab.awaitState("problem", "top-referrer");
            await().atMost(Patience.LIMIT).until(() -> tab.text("#notice").contains("(forbidden)"));
            tab.choose("tenant", "");
            tab.awaitState("complete", "top-referrer");

            tab.choose("refresh", "live");
            await().atMost(Patience.LIMIT).until(() -> !tab.rows("#panel-live").isEmpty());
            tab.awaitState("complete", "top-referrer");

            tab.click("[name=sign-out]");
            await().atMost(Patience.LIMIT).until(() -> tab.has(FORM + "[open]"));
            // What the credential was for is gone with it.
            assertThat(tab.rows("section.panel")).isEmpty();
            assertThat(tab.has("section.panel .query")).isFalse();
            assertThat(tab.evaluate("document.getElementById('panel-live').hidden").asBoolean()).isTrue();
            tab.screenshot("sign-in");
            assertThat(tab.faults()).isEmpty();
        }
    }

    private static void signIn(Tab tab, String credential) {
        tab.evaluate("document.querySelector('" + FORM + " input').focus()");
        tab.type(credential);
        tab.press("Enter");
    }
}
