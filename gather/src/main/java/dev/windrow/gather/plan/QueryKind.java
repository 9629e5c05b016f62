package dev.windrow.gather.plan;

import static dev.windrow.gather.plan.QueryParameter.AGAINST;
import static dev.windrow.gather.plan.QueryParameter.AGAINST_FROM;
import static dev.windrow.gather.plan.QueryParameter.AGAINST_TO;
import static dev.windrow.gather.plan.QueryParameter.AROUND;
import static dev.windrow.gather.plan.QueryParameter.BY;
import static dev.windrow.gather.plan.QueryParameter.CONSISTENT;
import static dev.windrow.gather.plan.QueryParameter.CUMULATIVE;
import static dev.windrow.gather.plan.QueryParameter.CURSOR;
import static dev.windrow.gather.plan.QueryParameter.EXPLAIN;
import static dev.windrow.gather.plan.QueryParameter.FILL;
import static dev.windrow.gather.plan.QueryParameter.FORMAT;
import static dev.windrow.gather.plan.QueryParameter.FROM;
import static dev.windrow.gather.plan.QueryParameter.GRANULARITY;
import static dev.windrow.gather.plan.QueryParameter.GROUP;
import static dev.windrow.gather.plan.QueryParameter.GROUP_BY;
import static dev.windrow.gather.plan.QueryParameter.LABEL;
import static dev.windrow.gather.plan.QueryParameter.LABELS;
import static dev.windrow.gather.plan.QueryParameter.LAST;
import static dev.windrow.gather.plan.QueryParameter.LEAST;
import static dev.windrow.gather.plan.QueryParameter.LIMIT;
import static dev.windrow.gather.plan.QueryParameter.N;
import static dev.windrow.gather.plan.QueryParameter.ORDER;
import static dev.windrow.gather.plan.QueryParameter.OTHER;
import static dev.windrow.gather.plan.QueryParameter.PARTIAL;
import static dev.windrow.gather.plan.QueryParameter.PREFIX;
import static dev.windrow.gather.plan.QueryParameter.PROFILE;
import static dev.windrow.gather.plan.QueryParameter.RATE;
import static dev.windrow.gather.plan.QueryParameter.SPREADSHEET;
import static dev.windrow.gather.plan.QueryParameter.TENANT;
import static dev.windrow.gather.plan.QueryParameter.TIMEOUT;
import static dev.windrow.gather.plan.QueryParameter.TO;
import static dev.windrow.gather.plan.QueryParameter.TZ;
import static dev.windrow.gather.plan.QueryParameter.WHERE;
import static dev.windrow.gather.plan.QueryParameter.WINDOW;
import static dev.windrow.gather.plan.QueryParameter.WITHIN;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The kinds of query about a dataset, and which parameters each takes. */
public enum QueryKind {

    BUCKETS,
    SERIES,
    TOTALS,
    TOP,
    BUSIEST,
    COMPARE,
    POSITION,
    LIVE;

    /** The router takes a slash at the end as well. */
    private static final Pattern PATH = Pattern.compile("/?api/v1/datasets/[^/]+/([a-z]+)/?");

    /** The last segment of its path. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public Set<QueryParameter> parameters() {
        EnumSet<QueryParameter> all = this == LIVE
                ? EnumSet.of(TENANT, TIMEOUT)
                : EnumSet.of(TENANT, FROM, TO, LAST, TIMEOUT, PARTIAL, EXPLAIN);
        all.addAll(switch (this) {
            case BUCKETS -> EnumSet.of(GRANULARITY, ORDER, LIMIT, CURSOR, LABEL, LABELS, PREFIX, WHERE, FORMAT, SPREADSHEET);
            case SERIES ->
                EnumSet.of(GRANULARITY, ORDER, LIMIT, LABEL, LABELS, PREFIX, WHERE, FILL, TZ, CUMULATIVE, RATE, GROUP, GROUP_BY,
                        BY,
                        N, OTHER, LEAST, CONSISTENT, FORMAT, SPREADSHEET);
            case TOTALS -> EnumSet.of(TZ, LABEL, LABELS, PREFIX, WHERE, CONSISTENT);
            case TOP ->
                EnumSet.of(BY, ORDER, N, CURSOR, TZ, GROUP_BY, LEAST, AGAINST, AGAINST_FROM, AGAINST_TO, LABEL, LABELS, PREFIX,
                        WHERE,
                        CONSISTENT,
                        FORMAT, SPREADSHEET);
            case BUSIEST -> EnumSet.of(GRANULARITY, BY, N, PROFILE, TZ, LABEL, LABELS, PREFIX, WHERE, FORMAT, SPREADSHEET);
            case LIVE -> EnumSet.of(GRANULARITY, WINDOW, LABEL, LABELS, PREFIX, WHERE);
            case POSITION -> EnumSet.of(TZ, LABEL, BY, ORDER, WITHIN, AROUND);
            case COMPARE -> EnumSet.of(TZ, AGAINST, AGAINST_FROM, AGAINST_TO, LABEL, LABELS, PREFIX, WHERE);
        });
        return all;
    }

    /** Whether its parameters may also be posted, as the members of a JSON object. */
    public boolean isPostable() {
        return this != LIVE;
    }

    /** Whether partial answers are the default: a single number hides what it lacks. */
    public boolean partialByDefault() {
        return this != TOTALS && this != COMPARE && this != POSITION;
    }

    /** The parameter of that name, or empty if this kind of query takes none such. */
    Optional<QueryParameter> parameter(String name) {
        return parameters().stream().filter(parameter -> parameter.word().equals(name)).findFirst();
    }

    /** The kind of query that a path below {@code /api/v1/datasets} is of, or empty. */
    public static Optional<QueryKind> ofPath(String path) {
        Matcher matcher = PATH.matcher(path);
        return matcher.matches()
                ? Arrays.stream(values()).filter(operation -> operation.word().equals(matcher.group(1))).findFirst()
                : Optional.empty();
    }
}
