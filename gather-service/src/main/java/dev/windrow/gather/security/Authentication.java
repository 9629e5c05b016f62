package dev.windrow.gather.security;

/** How the API knows its clients. */
public enum Authentication {

    /** Not at all: whoever reaches the port is trusted, and names the tenant. */
    NONE,
    /** By keys whose hashes are in a file. */
    API_KEY,
    /** By tokens of an OpenID Connect provider. */
    OIDC
}
