package dev.windrow.gather.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;

/**
 * The names by which a request may address the service. Nobody can own an IP address, a name without dots, or a name below
 * those that are reserved for private use, as a name in the public DNS; any other must be allowed by a setting.
 */
final class HostNames {

    static final String EXPECTED = "Host: expected an IP address, a name without dots, a name below localhost, internal, svc or "
            + "svc.cluster.local, or one of windrow.gather.api.allowed-hosts, because clients are not authenticated: allow the "
            + "host, or turn on authentication (windrow.gather.authentication.type)";

    private static final Pattern AUTHORITY = Pattern.compile("(\\[[0-9a-f:.]+]|[a-z0-9_.-]+?)\\.?(:[0-9]*)?");
    private static final Pattern ABSOLUTE_TARGET = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://([^/?#]*).*");
    private static final Pattern ADDRESS_OR_ONE_LABEL = Pattern.compile("\\[.+]|[0-9]{1,3}(\\.[0-9]{1,3}){3}|[^.]+");
    private static final List<String> PRIVATE = List.of(".localhost", ".internal", ".svc", ".svc.cluster.local");
    private static final String BELOW = "*.";

    private final List<String> allowed;

    /** @param allowed further names; {@code *.} in front stands for all names below one */
    HostNames(List<String> allowed) {
        this.allowed = allowed.stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
    }

    /** Whether all names that a request gives are allowed. A browser always gives one; other clients may give none. */
    boolean areAllowed(HttpServerRequest request) {
        List<String> given = new ArrayList<>(request.headers().getAll(HttpHeaders.HOST));
        HostAndPort authority = request.authority();
        if (authority != null) {
            given.add(authority.host());
        }
        Matcher target = ABSOLUTE_TARGET.matcher(request.uri());
        if (target.matches()) {
            given.add(target.group(1));
        }
        return given.stream().filter(name -> !name.isBlank()).allMatch(this::isAllowed);
    }

    /** @param authority a name or an address, with or without port */
    boolean isAllowed(String authority) {
        Matcher parts = AUTHORITY.matcher(authority.strip().toLowerCase(Locale.ROOT));
        if (!parts.matches()) {
            return false;
        }
        String name = parts.group(1);
        return ADDRESS_OR_ONE_LABEL.matcher(name).matches() || PRIVATE.stream().anyMatch(name::endsWith)
                || allowed.stream().anyMatch(pattern -> pattern.startsWith(BELOW)
                        ? name.endsWith(pattern.substring(1))
                        : name.equals(pattern));
    }
}
