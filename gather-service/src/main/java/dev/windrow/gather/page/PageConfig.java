package dev.windrow.gather.page;

import java.util.Optional;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** The page at {@code /}. */
@ConfigMapping(prefix = "windrow.gather.page")
public interface PageConfig {

    /**
     * Whether the gatherer serves a page at {@code /} that shows its datasets in a browser. The page itself needs no
     * credential; its queries need those of any client.
     */
    @WithDefault("true")
    boolean enabled();

    /** How users of the page sign in at an OpenID Connect provider, where the API requires tokens. */
    Oidc oidc();

    /** How users of the page sign in at an OpenID Connect provider, where the API requires tokens. */
    interface Oidc {

        /**
         * The page's client id at the provider: a public client (without a secret) whose redirect URI is the page's address.
         * With it, the page offers the authorization code flow with PKCE; without it, users enter a token.
         *
         * @return client id
         */
        Optional<String> clientId();

        /**
         * Scopes that the page requests.
         *
         * @return scopes, separated by spaces
         */
        @WithDefault("openid")
        String scope();
    }
}
