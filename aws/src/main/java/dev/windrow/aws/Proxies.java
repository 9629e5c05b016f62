package dev.windrow.aws;

import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/**
 * The proxies of the environment: {@code HTTPS_PROXY} for https endpoints, {@code HTTP_PROXY} for http endpoints,
 * {@code NO_PROXY} for hosts without one. Each may be in lower case, which comes first, as with curl.
 */
public final class Proxies {

    private final Optional<Proxy> https;
    private final Optional<Proxy> http;
    private final NoProxy noProxy;

    private Proxies(Optional<Proxy> https, Optional<Proxy> http, NoProxy noProxy) {
        this.https = https;
        this.http = http;
        this.noProxy = noProxy;
    }

    /** No proxy at all. */
    public static Proxies none() {
        return of(name -> Optional.empty());
    }

    /**
     * @param environment looks up a variable by name
     * @throws dev.windrow.base.InvalidInputException if a proxy is not an http URL
     */
    public static Proxies of(Function<String, Optional<String>> environment) {
        return new Proxies(proxy(environment, "HTTPS_PROXY"), proxy(environment, "HTTP_PROXY"),
                NoProxy.of(value(environment, "NO_PROXY").orElse("")));
    }

    private static Optional<Proxy> proxy(Function<String, Optional<String>> environment, String name) {
        return value(environment, name).map(url -> Proxy.of(name, url));
    }

    private static Optional<String> value(Function<String, Optional<String>> environment, String name) {
        return environment.apply(name.toLowerCase(Locale.ROOT)).or(() -> environment.apply(name)).map(String::strip)
                .filter(value -> !value.isEmpty());
    }

    /** The proxy on the way to an endpoint, if there is one. */
    Optional<Proxy> to(URI endpoint) {
        return noProxy.matches(endpoint.getHost()) ? Optional.empty() : ofScheme(endpoint.getScheme());
    }

    /** The proxy of a scheme, for clients that leave out {@link #noProxy()} themselves. */
    Optional<Proxy> ofScheme(String scheme) {
        return "https".equals(scheme) ? https : http;
    }

    NoProxy noProxy() {
        return noProxy;
    }
}
