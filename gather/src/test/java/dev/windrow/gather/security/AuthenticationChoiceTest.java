package dev.windrow.gather.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.gather.security.ApiAuthentication.Authentication;

class AuthenticationChoiceTest {

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
                .hasMessageStartingWith("windrow.gather.authentication.type: expected none, api-key or oidc");
        assertThat(ApiAuthentication.choice(Settings.of(Authentication.NONE), host, NO_PROVIDER))
                .isEqualTo(Authentication.NONE);
    }

    @Test
    void tokensNeedAProviderAndKeysAFile() {
        Settings tokens = Settings.of(Authentication.OIDC);
        assertThatThrownBy(() -> ApiAuthentication.choice(tokens, "0.0.0.0", NO_PROVIDER))
                .hasMessageStartingWith("quarkus.oidc.auth-server-url: expected");
        assertThat(ApiAuthentication.choice(tokens, "0.0.0.0", Optional.of("https://id.example.org")))
                .isEqualTo(Authentication.OIDC);
        assertThatThrownBy(() -> ApiAuthentication.keys(Authentication.API_KEY, Settings.of(Authentication.API_KEY)))
                .hasMessageStartingWith("windrow.gather.authentication.api-keys-file: expected a file");
    }

    @Test
    void aFixedTenantMustBeATenant() {
        Settings wrong = new Settings(Optional.of(Authentication.OIDC), Optional.empty(), "tenant", Optional.of("a#b"));

        assertThatThrownBy(() -> ApiAuthentication.tokens(wrong, Duration.ZERO))
                .hasMessageStartingWith("windrow.gather.authentication.tenant: expected 1 to 64 letters");
    }
}
