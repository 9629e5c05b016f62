package dev.windrow.aws;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;

/**
 * An HTTP proxy.
 *
 * @param user for Basic authentication, or null for none
 * @param password goes with the user
 */
record Proxy(String host, int port, @Nullable String user, @Nullable String password) {

    private static final int HTTP_PORT = 80;

    /**
     * Reads a proxy's URL.
     *
     * @param name of the variable, for errors
     * @param url {@code http://[user:password@]host[:port]}, user and password percent-encoded; the scheme may be left out
     * @throws InvalidInputException if it is not one; the message does not repeat it, as it may hold a password
     */
    static Proxy of(String name, String url) {
        try {
            URI uri = new URI(url.contains("://") ? url : "http://" + url);
            if (!"http".equalsIgnoreCase(uri.getScheme()) || uri.getHost() == null) {
                throw invalid(name);
            }
            int port = uri.getPort() < 0 ? HTTP_PORT : uri.getPort();
            String login = uri.getRawUserInfo();
            if (login == null) {
                return new Proxy(uri.getHost(), port, null, null);
            }
            int colon = login.indexOf(':');
            return new Proxy(uri.getHost(), port, decoded(colon < 0 ? login : login.substring(0, colon)),
                    colon < 0 ? "" : decoded(login.substring(colon + 1)));
        } catch (URISyntaxException | IllegalArgumentException e) {
            throw invalid(name);
        }
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), UTF_8);
    }

    private static InvalidInputException invalid(String name) {
        return new InvalidInputException(Reason.INVALID_SETTING, name,
                "expected http://[user:password@]host[:port] with user and password percent-encoded");
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "http://" + (user == null ? "" : user + "@") + host + ":" + port;
    }
}
