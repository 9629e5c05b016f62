package dev.windrow.base;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The host names that a request may use where clients are not authenticated. IP addresses, names without dots, and names below
 * domains reserved for private use cannot be registered in the public DNS, so they are always allowed; any other name must be
 * allowed by a setting. Otherwise the owner of a name could let it lead here, and read answers from a web page (DNS rebinding).
 */
public final class HostNames {

    private static final Pattern AUTHORITY = Pattern.compile("(\\[[0-9a-f:.]+]|[a-z0-9_.-]+?)\\.?(:[0-9]*)?");
    private static final Pattern ADDRESS_OR_ONE_LABEL = Pattern.compile("\\[.+]|[0-9]{1,3}(\\.[0-9]{1,3}){3}|[^.]+");
    private static final List<String> PRIVATE = List.of(".localhost", ".internal", ".svc", ".svc.cluster.local");
    private static final String BELOW = "*.";

    private final List<String> allowed;

    /** @param allowed further names; a leading {@code *.} stands for all names below one */
    public HostNames(List<String> allowed) {
        this.allowed = allowed.stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
    }

    /** @param authority a name or an address, with or without port */
    public boolean isAllowed(String authority) {
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
