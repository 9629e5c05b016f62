package dev.windrow.aws;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;

/**
 * The proxies of the environment: {@code HTTPS_PROXY} for https endpoints, {@code HTTP_PROXY} for http endpoints,
 * {@code NO_PROXY} for hosts without a proxy. A variable in lower case takes precedence, as with curl.
 * <p>
 * The rules of {@code NO_PROXY} are curl's: entries are separated by commas or spaces; {@code *} matches every host; a name
 * matches that host and its subdomains, with or without a leading dot; an address matches that address. Address ranges
 * (CIDR) and ports are not supported. Loopback and link-local addresses, which the metadata services of EC2, ECS and EKS
 * use, never go through a proxy.
 *
 * @param direct the hosts that are reached without a proxy, as regular expressions of a URI's host, IPv6 addresses in
 *        brackets
 */
public record Proxies(Optional<Proxy> https, Optional<Proxy> http, Set<String> direct) {

    private static final Set<String> ALWAYS_DIRECT = Set.of("(?i)(.+\\.)?localhost\\.?", "127(\\.[0-9]+){3}",
            "169\\.254(\\.[0-9]+){2}", "\\[?(::1|0:0:0:0:0:0:0:1)]?", "(?i)\\[?fe80:.*", "(?i)\\[?fd00:ec2::[0-9a-f]+]?");
    private static final Pattern SEPARATOR = Pattern.compile("[,\\s]+");
    private static final Pattern ADDRESS = Pattern.compile("[0-9]+(\\.[0-9]+){3}|\\[?[0-9a-fA-F:.]*:[0-9a-fA-F:.]*]?");

    public static Proxies none() {
        return of(name -> Optional.empty());
    }

    /**
     * @param environment looks up a variable by name
     * @throws dev.windrow.base.InvalidInputException if a proxy is not an http URL
     */
    public static Proxies of(Function<String, Optional<String>> environment) {
        Set<String> direct = new LinkedHashSet<>(ALWAYS_DIRECT);
        SEPARATOR.splitAsStream(value(environment, "NO_PROXY").orElse("")).filter(entry -> !entry.isEmpty())
                .map(Proxies::pattern).forEach(direct::add);
        return new Proxies(proxy(environment, "HTTPS_PROXY"), proxy(environment, "HTTP_PROXY"), Set.copyOf(direct));
    }

    private static String pattern(String entry) {
        if (entry.equals("*")) {
            return ".*";
        }
        if (ADDRESS.matcher(entry).matches()) {
            return "(?i)\\[?" + Pattern.quote(entry.replace("[", "").replace("]", "")) + "]?";
        }
        String name = entry.startsWith(".") ? entry.substring(1) : entry;
        return "(?i)(.+\\.)?" + Pattern.quote(name.endsWith(".") ? name.substring(0, name.length() - 1) : name) + "\\.?";
    }

    private static Optional<Proxy> proxy(Function<String, Optional<String>> environment, String name) {
        return value(environment, name).map(url -> Proxy.of(name, url));
    }

    private static Optional<String> value(Function<String, Optional<String>> environment, String name) {
        return environment.apply(name.toLowerCase(Locale.ROOT)).or(() -> environment.apply(name)).map(String::strip)
                .filter(value -> !value.isEmpty());
    }

    Optional<Proxy> to(URI endpoint) {
        return direct.stream().anyMatch(endpoint.getHost()::matches) ? Optional.empty() : ofScheme(endpoint.getScheme());
    }

    /** The proxy of a scheme, for clients that handle {@link #direct} hosts themselves. */
    Optional<Proxy> ofScheme(String scheme) {
        return "https".equalsIgnoreCase(scheme) ? https : http;
    }

    /**
     * An HTTP proxy.
     *
     * @param user for Basic authentication, or null for none
     */
    record Proxy(String host, int port, @Nullable String user, @Nullable String password) {

        private static final int HTTP_PORT = 80;

        /**
         * Parses a proxy's URL.
         *
         * @param name the variable's name, for error messages
         * @param url {@code http://[user:password@]host[:port]}, user and password percent-encoded; the scheme may be
         *        omitted
         * @throws InvalidInputException if it is invalid; the message does not repeat it, as it may contain a password
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

        /** The URL without the password. */
        @Override
        public String toString() {
            return "http://" + (user == null ? "" : user + "@") + host + ":" + port;
        }
    }
}
