package dev.windrow.aws;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The hosts that are reached without a proxy, by the rules of curl for {@code NO_PROXY}: entries are separated by commas or
 * spaces; {@code *} is every host; a name is the host of that name and all below it, with or without a leading dot; an
 * address is that address. Address ranges (CIDR) and ports are not known. Loopback and link-local addresses, where the
 * metadata services of EC2, ECS and EKS are, never go through a proxy.
 */
final class NoProxy {

    private static final Set<String> ALWAYS = Set.of("(?i)(.+\\.)?localhost\\.?", "127(\\.[0-9]+){3}",
            "169\\.254(\\.[0-9]+){2}",
            "\\[?(::1|0:0:0:0:0:0:0:1)]?", "(?i)\\[?fe80:.*", "(?i)\\[?fd00:ec2::[0-9a-f]+]?");
    private static final Pattern SEPARATOR = Pattern.compile("[,\\s]+");
    private static final Pattern ADDRESS = Pattern.compile("[0-9]+(\\.[0-9]+){3}|\\[?[0-9a-fA-F:.]*:[0-9a-fA-F:.]*]?");

    private final Set<String> hosts;

    private NoProxy(Set<String> hosts) {
        this.hosts = Set.copyOf(hosts);
    }

    /** @param text the variable's value; may be empty */
    static NoProxy of(String text) {
        Set<String> hosts = new LinkedHashSet<>(ALWAYS);
        SEPARATOR.splitAsStream(text).filter(entry -> !entry.isEmpty()).map(NoProxy::pattern).forEach(hosts::add);
        return new NoProxy(hosts);
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

    /** @param host as in a URI, IPv6 addresses in brackets */
    boolean matches(String host) {
        return hosts.stream().anyMatch(host::matches);
    }

    /** The same as regular expressions of a URI's host, as the SDK's HTTP clients want them. */
    Set<String> hosts() {
        return hosts;
    }
}
