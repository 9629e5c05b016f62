package dev.windrow.gather.security;

import static dev.windrow.gather.security.TwoTenants.requireEvents;
import static dev.windrow.gather.security.TwoTenants.requireRefused;
import static dev.windrow.gather.security.TwoTenants.totals;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import jakarta.inject.Inject;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.windrow.dataset.Datasets;
import dev.windrow.gather.testing.EmbeddedTable;
import dev.windrow.testing.Patience;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.restassured.path.json.JsonPath;
import io.restassured.specification.RequestSpecification;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** Tokens of a provider. */
@QuarkusTest
@Tag("slow")
@TestProfile(OidcApiTest.WithTokens.class)
@QuarkusTestResource(EmbeddedTable.class)
class OidcApiTest {

    /** As an operator would set it; the provider's URL comes from the provider. */
    public static class WithTokens implements QuarkusTestProfile {

        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of("windrow.gather.authentication.type", "oidc", "windrow.gather.authentication.tenant-claim",
                    "organization");
        }

        @Override
        public List<TestResourceEntry> testResources() {
            return List.of(new TestResourceEntry(OidcProvider.class));
        }
    }

    @Inject
    DynamoDbAsyncClient client;

    @Inject
    Datasets datasets;

    @BeforeEach
    void write() {
        TwoTenants.write(client, datasets);
    }

    @TestHTTPResource("/")
    URI plain;

    @Test
    void noDetourLeadsPastTheToken() {
        HostilePaths.requireNothingDisclosed(plain.getPort());
        HostilePaths.requireNothingDisclosed(plain.getPort(),
                "Authorization: Bearer " + OidcProvider.token(OidcProvider.key("stranger"), OidcProvider.AUDIENCE, 10,
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
                        OidcProvider.token(OidcProvider.key("forged"), OidcProvider.AUDIENCE, 10, "organization", "acme"))));
        requireRefused(401, "unauthenticated", totals(bearing(forOthers(-5, OidcProvider.AUDIENCE))));
        requireRefused(401, "unauthenticated", totals(bearing(forOthers(10, "another-service"))));
    }

    @Test
    void aLiveStreamEndsWithItsToken() throws Exception {
        // Given
        HttpRequest request = HttpRequest.newBuilder(plain.resolve("/api/v1/datasets/clicks/live?granularity=hour&label=a"))
                .header("Authorization", "Bearer " + OidcProvider.tokenForSeconds(2, "organization", "acme")).build();

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

    private static String forOthers(int minutes, String audience) {
        return OidcProvider.tokenFor(audience, minutes, "organization", "acme");
    }

    private static RequestSpecification bearing(@Nullable String token) {
        return given().header("Authorization", "Bearer " + token);
    }
}
