package dev.windrow.gather.page;

import java.net.URI;
import java.util.Optional;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;

/**
 * The OpenID Connect provider at which users of the page sign in.
 *
 * @param issuer its URL, as browsers reach it
 * @param clientId the page's client id
 * @param scope what is requested of it
 */
record PageProvider(URI issuer, String clientId, String scope) {

    private static final String PREFIX = "windrow.gather.page.oidc.";

    /**
     * The configured provider; empty without a client id.
     *
     * @param server the provider that the service itself uses
     * @throws InvalidInputException with {@link Reason#INVALID_SETTING}
     */
    static Optional<PageProvider> of(PageConfig.Oidc config, Optional<URI> server) {
        return config.clientId().map(clientId -> {
            URI issuer = config.issuer().or(() -> server)
                    .orElseThrow(() -> invalid("issuer", "expected the provider's URL, as there is a client id"));
            boolean web = "https".equals(issuer.getScheme()) || "http".equals(issuer.getScheme());
            if (!web || issuer.getHost() == null || issuer.getRawQuery() != null || issuer.getRawFragment() != null) {
                throw invalid("issuer", "expected a URL such as https://login.example/realm, found " + issuer);
            }
            return new PageProvider(issuer, clientId, config.scope());
        });
    }

    private static InvalidInputException invalid(String key, String expectation) {
        return new InvalidInputException(Reason.INVALID_SETTING, PREFIX + key, expectation);
    }

    /** Scheme, host and port, for the content security policy. */
    String origin() {
        return issuer.getScheme() + "://" + issuer.getHost() + (issuer.getPort() < 0 ? "" : ":" + issuer.getPort());
    }

    /** The element of the page that names it. */
    String element() {
        return "<meta name=\"oidc\" data-issuer=\"" + escaped(issuer.toString()) + "\" data-client-id=\"" + escaped(clientId)
                + "\" data-scope=\"" + escaped(scope) + "\">\n";
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("\"", "&quot;").replace("<", "&lt;");
    }
}
