package dev.windrow.gather.parameter;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The kinds of query about a dataset. */
public enum QueryKind {

    BUCKETS,
    SERIES,
    TOTALS,
    TOP,
    BUSIEST,
    COMPARE,
    POSITION,
    LIVE;

    /** The router also accepts a trailing slash. */
    private static final Pattern PATH = Pattern.compile("/?api/v1/datasets/[^/]+/([a-z]+)/?");

    /** The last segment of its path. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public Set<QueryParameter> parameters() {
        return QueryParameter.of(this);
    }

    /** Whether its parameters may also be posted, as the members of a JSON object. */
    public boolean isPostable() {
        return this != LIVE;
    }

    /** Whether partial answers are the default: not for single numbers, as these would hide what is missing. */
    public boolean partialByDefault() {
        return this != TOTALS && this != COMPARE && this != POSITION;
    }

    /** The kind of query of a path below {@code /api/v1/datasets}, or empty. */
    public static Optional<QueryKind> ofPath(String path) {
        Matcher matcher = PATH.matcher(path);
        return matcher.matches()
                ? Arrays.stream(values()).filter(operation -> operation.word().equals(matcher.group(1))).findFirst()
                : Optional.empty();
    }
}
