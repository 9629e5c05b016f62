package dev.windrow.gather.security;

/** How clients authenticate. */
public enum Authentication {

    /** None: every client that reaches the port is trusted, and names the tenant. */
    NONE,
    /** API keys, whose hashes are in a file. */
    API_KEY,
    /** Tokens of an OpenID Connect provider. */
    OIDC
}
