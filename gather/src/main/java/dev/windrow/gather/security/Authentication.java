package dev.windrow.gather.security;

/** How clients authenticate. */
public enum Authentication {

    /** No authentication: every client that reaches the port is trusted, and names the tenant. */
    NONE,
    API_KEY,
    OIDC
}
