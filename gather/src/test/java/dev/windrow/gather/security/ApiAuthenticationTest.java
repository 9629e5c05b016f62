package dev.windrow.gather.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.gather.security.ApiAuthentication.AuthenticationConfig;
import io.quarkus.oidc.TokenIntrospection;
import io.quarkus.oidc.runtime.OidcUtils;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.security.runtime.QuarkusPrincipal;
import io.quarkus.security.runtime.QuarkusSecurityIdentity;

class ApiAuthenticationTest {

    private static final Optional<String> NO_PROVIDER = Optional.empty();

    private record Settings(Optional<Authentication> type, Optional<Path> apiKeysFile, String tenantClaim,
            Optional<String> tenant) implements AuthenticationConfig {

        static Settings of(Authentication type) {
            return new Settings(Optional.ofNullable(type), Optional.empty(), "tenant", Optional.empty());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = { "127.0.0.1", "localhost", "::1" })
    void noCredentialIsRequiredOnLoopbackUnlessSet(String host) {
        assertThat(ApiAuthentication.choice(Settings.of(null), host, NO_PROVIDER)).isEqualTo(Authentication.NONE);
        assertThat(ApiAuthentication.choice(Settings.of(Authentication.API_KEY), host, NO_PROVIDER))
                .isEqualTo(Authentication.API_KEY);
    }

    @ParameterizedTest
    @ValueSource(strings = { "0.0.0.0", "::", "10.0.0.7", "127.0.0.1.example.org" })
    void anApiThatOthersReachMustSayHowItKnowsItsClients(String host) {
        assertThatThrownBy(() -> ApiAuthentication.choice(Settings.of(null), host, NO_PROVIDER))
                .hasMessageStartingWith("windrow.gather.authentication.type: set it to none, api-key or oidc");
        assertThat(ApiAuthentication.choice(Settings.of(Authentication.NONE), host, NO_PROVIDER))
                .isEqualTo(Authentication.NONE);
    }

    @Test
    void tokensNeedAProviderAndKeysAFile() {
        Settings tokens = Settings.of(Authentication.OIDC);
        assertThatThrownBy(() -> ApiAuthentication.choice(tokens, "0.0.0.0", NO_PROVIDER))
                .hasMessageStartingWith("quarkus.oidc.auth-server-url: set it to");
        assertThat(ApiAuthentication.choice(tokens, "0.0.0.0", Optional.of("https://id.example.org")))
                .isEqualTo(Authentication.OIDC);
        assertThatThrownBy(() -> ApiAuthentication.keys(Authentication.API_KEY, Settings.of(Authentication.API_KEY)))
                .hasMessageStartingWith("windrow.gather.authentication.api-keys-file: set it to a file");
    }

    @Test
    void aFixedTenantMustBeATenant() {
        Settings wrong = new Settings(Optional.of(Authentication.OIDC), Optional.empty(), "tenant", Optional.of("a#b"));

        assertThatThrownBy(() -> ApiAuthentication.tokens(wrong, Duration.ZERO))
                .hasMessageStartingWith("windrow.gather.authentication.tenant: expected 1 to 64 letters");
    }

    private final TokenClaims claims = new TokenClaims(Optional.of("acme"), "tenant", Duration.ofSeconds(5));

    @Test
    void anOpaqueTokenIsAcceptedUntilItsExpiryAndTheGraceTime() {
        assertThat(claims.expiry(introspected("{\"active\":true,\"exp\":1000}"))).hasValue(Instant.ofEpochSecond(1_005));
    }

    @Test
    void theProviderMayNotSayWhenATokenExpires() {
        assertThat(claims.expiry(introspected("{\"active\":true}"))).isEmpty();
        assertThat(claims.expiry(QuarkusSecurityIdentity.builder().setPrincipal(new QuarkusPrincipal("someone")).build()))
                .isEmpty();
    }

    private static SecurityIdentity introspected(String json) {
        return QuarkusSecurityIdentity.builder().setPrincipal(new QuarkusPrincipal("someone"))
                .addAttribute(OidcUtils.INTROSPECTION_ATTRIBUTE, new TokenIntrospection(json)).build();
    }

    private static final String TWO_KEYS = """
            windrow:
              api-keys:
                dashboard:
                  # of the text: correct horse
                  sha256: "4104D36F8DA2C254349F85836793EBE029E0C957063A34C91C2E9203187B5631"
                  tenant: acme
                nightly:
                  sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
                  tenant: default
            """;

    @Test
    void aKeyIsFoundByItsHashOnly() {
        ApiKeys keys = ApiKeys.parse(TWO_KEYS);

        assertThat(keys.find("test")).map(ApiKey::client).contains("nightly");
        assertThat(keys.find("test")).map(ApiKey::tenant).contains("default");
        assertThat(keys.find("correct horse")).map(ApiKey::tenant).contains("acme");
        assertThat(keys.find("Test")).isEmpty();
        assertThat(keys.find("")).isEmpty();
        assertThat(keys.find("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "windrow: {} | windrow.api-keys",
            "windrow: {api-keys: {}} | windrow.api-keys",
            "windrow: {api-keys: {a: secret-text}} | windrow.api-keys.a",
            "windrow: {api-keys: {a: {sha256: secret-text, tenant: t}}} | windrow.api-keys.a.sha256",
            "windrow: {api-keys: {a: {key: secret-text, tenant: t}}} | windrow.api-keys.a.key",
            "windrow: {api-keys: {a: {sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'}}} "
                    + "| windrow.api-keys.a.tenant",
            "'\"secret-text' | the file",
    })
    void anErrorInTheFileNamesItsFieldAndNeverItsValue(String yaml, String field) {
        assertThatThrownBy(() -> ApiKeys.parse(yaml))
                .isInstanceOfSatisfying(InvalidInputException.class, wrong -> {
                    assertThat(wrong.reason()).isEqualTo(Reason.INVALID_API_KEYS);
                    assertThat(wrong.field()).isEqualTo(field);
                })
                .hasMessageStartingWith(field + ": ").hasMessageNotContaining("secret-text");
    }

    @Test
    void aFileThatCannotBeReadIsNamed() {
        assertThatThrownBy(() -> ApiKeys.read(Path.of("no", "such.yaml"))).hasMessageContaining("such.yaml");
    }
}
