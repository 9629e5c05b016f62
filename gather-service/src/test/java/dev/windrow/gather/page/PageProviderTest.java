package dev.windrow.gather.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.gather.page.PageRoutes.PageProvider;

class PageProviderTest {

    private static final Optional<URI> SERVER = Optional.of(URI.create("http://keycloak.internal/realms/counting"));

    private record Settings(Optional<String> clientId, Optional<URI> issuer, String scope) implements PageConfig.Oidc {
    }

    private static Optional<PageProvider> provider(@Nullable String clientId, @Nullable String issuer, Optional<URI> server) {
        return PageProvider.of(new Settings(Optional.ofNullable(clientId), Optional.ofNullable(issuer).map(URI::create),
                "openid \"<&"), server);
    }

    @Test
    void thereIsNoneWithoutAClient() {
        assertThat(provider(null, null, SERVER)).isEmpty();
    }

    @Test
    void itsOriginIsWhatBrowsersReach() {
        assertThat(provider("page", null, SERVER).orElseThrow().origin()).isEqualTo("http://keycloak.internal");
        assertThat(provider("page", "https://login.example:8443/realms/counting", SERVER).orElseThrow().origin())
                .isEqualTo("https://login.example:8443");
    }

    @Test
    void settingsDoNotBecomeMarkup() {
        assertThat(provider("\"><script>", null, SERVER).orElseThrow().element())
                .isEqualTo("<meta name=\"oidc\" data-issuer=\"http://keycloak.internal/realms/counting\" "
                        + "data-client-id=\"&quot;>&lt;script>\" data-scope=\"openid &quot;&lt;&amp;\">\n");
    }

    @ParameterizedTest
    @ValueSource(strings = { "login.example", "ftp://login.example", "https:/login", "https://login.example?a=b",
            "https://login.example#a" })
    void anIssuerIsAnAddress(String issuer) {
        assertThatThrownBy(() -> provider("page", issuer, SERVER)).isInstanceOfSatisfying(InvalidInputException.class,
                failure -> assertThat(failure.reason()).isEqualTo(Reason.INVALID_SETTING))
                .hasMessageContaining("windrow.gather.page.oidc.issuer");
    }

    @Test
    void aClientNeedsAnIssuer() {
        assertThatThrownBy(() -> provider("page", null, Optional.empty())).hasMessageContaining("as there is a client id");
    }
}
