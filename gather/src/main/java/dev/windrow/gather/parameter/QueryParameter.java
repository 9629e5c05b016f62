package dev.windrow.gather.parameter;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Every parameter the API knows, and which kinds of query take it. This is the one list: requests are checked against it and
 * the API's description is written from it.
 */
public enum QueryParameter {

    TENANT("tenant", "string", "Whose data is queried. With authentication, the credential decides, and only its own "
            + "tenant may be named; without, `default` if absent.", "default"),
    GRANULARITY("granularity", "string", "The buckets' granularity; may be absent where only one is possible.", "hour"),
    FROM("from", "string", "Earliest bucket start, inclusive: RFC 3339, seconds since 1970, `now`, or relative to now "
            + "as an ISO 8601 duration with sign (`-PT1H`, `-P7D`). All time if absent.", "2026-11-20T00:00:00Z"),
    TO("to", "string", "Latest bucket start, exclusive; forms as `from`. No end if absent.", "2026-11-21T00:00:00Z"),
    LAST("last", "string", "Instead of `from` and `to`: the range that ends now and is this long, as a number and a unit "
            + "(`s`, `m`, `h`, `d`, `w`), such as `7d`; or a period of the calendar of `tz`: `today`, `yesterday`, `this-week`, "
            + "`last-week`, `this-month`, `last-month`, `this-year` or `last-year`, up to now where it is not over.", "7d"),
    ORDER("order", "string", "Of buckets: `asc` (the default) or `desc` by start, then label. Of `top`: `desc` (the "
            + "default; largest first), `asc`, or `magnitude` (farthest from zero first).", "asc"),
    LIMIT("limit", "integer", "Maximum number of items in a page; for a series, of buckets.", "100"),
    CURSOR("cursor", "string", "The `next` of the page before. All other parameters that select or order items must "
            + "be the same.", ""),
    LABEL("label", "array", "The label: one value per declared attribute, repeated in declared order. The first values, or "
            + "none, stand for all labels with that prefix.", "https://example.org/"),
    LABELS("labels", "array", "Several labels instead of `label` and `prefix`, at most 100: each a JSON array of a label's "
            + "first values, such as `[\"https://example.org/\"]`.", "[\"https://example.org/\"]"),
    PREFIX("prefix", "string", "Only labels whose next value, after those given by `label`, starts with this.", "https://"),
    WHERE("where", "array",
            "Only labels with this value of an attribute, as `attribute:value`, repeated: several values of one "
                    + "attribute are alternatives, conditions on several attributes must all hold. In a body, an object: "
                    + "`{\"country\":[\"DE\",\"FR\"]}`.",
            "referrer:https://example.org/"),
    FILL("fill", "string", "How buckets without data are filled: `none` (the default: they are left out), `zero`, `previous` "
            + "(the value before, also from before the range) or `linear` (between neighbors, also beyond the range).",
            "zero"),
    TZ("tz", "string", "The time zone whose midnight days, weeks, months and years begin at, and dates mean, by IANA "
            + "name; UTC if absent.", "Europe/Berlin"),
    CUMULATIVE("cumulative", "boolean", "`true`: counts and sums run on from the start of the range.", "false"),
    RATE("rate", "string", "Counts and sums per `second`, `minute`, `hour` or `day` instead of per bucket.", "second"),
    BY("by", "string", "The measure to order by; may be absent where there is only one.", "events"),
    N("n", "integer", "How many items; of `top`, in a page.", "10"),
    GROUP("group", "string", "`top`: a series for each of the `n` labels (or groups, with `groupBy`) with the highest `by` "
            + "over the range, instead of one of all.", "top"),
    OTHER("other", "boolean", "`true`: with `group=top`, one more series of all other labels.", "false"),
    GROUP_BY("groupBy", "array", "Labels with the same values of these attributes of the label, repeated, are one group. "
            + "Each label is a group of its own if absent.", "referrer"),
    LEAST("least", "string", "Only groups with at least this much of a measure, as `measure:value`.", "events:10"),
    WITHIN("within", "array", "The first attributes of the label, repeated in declared order: the label is placed among those "
            + "with the same values of them. If absent, as the rank by the measure declares, else among all labels.", ""),
    AROUND("around", "integer", "How many neighbors to list on each side, up to 100; 5 if absent.", "5"),
    PROFILE("profile", "string", "Instead of single buckets: all hours of the day (`hour-of-day`), days of the week "
            + "(`day-of-week`) or hours of the week (`hour-of-week`) together, in the time zone `tz`.", "hour-of-day"),
    AGAINST("against", "string", "The period to compare with: `previous` (the default of `compare`; as long, right before), "
            + "or the one as long that ends a `day`, `week`, `month` or `year` earlier; whole months are compared with whole "
            + "months by `month` and `year`. `top` then orders by the change.", "previous"),
    AGAINST_FROM("againstFrom", "string", "Instead of `against`: the other period's start.", "2025-11-20T00:00:00Z"),
    AGAINST_TO("againstTo", "string", "The other period's end.", "2025-11-21T00:00:00Z"),
    WINDOW("window", "string", "How far back buckets are watched, as a number and a unit (`s`, `m`, `h`, `d`, `w`); if "
            + "absent, the current bucket and the one before.", "5m"),
    CONSISTENT("consistent", "boolean",
            "`true`: sees every write that completed before, at twice the read units; only for whole "
                    + "labels, or for the first values that are the dataset's `partition`.",
            "false"),
    SPREADSHEET("spreadsheet", "boolean", "`true`: CSV for a spreadsheet, with a byte order mark, and an apostrophe "
            + "before text that would be taken for a formula.", "false"),
    EXPLAIN("explain", "boolean", "`true`: report how the answer was gathered.", "false"),
    FORMAT("format", "string", "`json`, `ndjson` or `csv`; instead of the header Accept.", "json"),
    TIMEOUT("timeout", "string", "How long the answer may take, such as `500ms`, `2s` or `PT2S`; the server caps it.", "2s"),
    PARTIAL("partial", "boolean", "`true`: answer without the shards that failed, and say so. `false`: a failed shard is "
            + "a problem. The default is `false` for `totals`, `compare` and `position`, else `true`.", "");

    /** The values of {@link #FORMAT}. */
    public static final List<String> FORMATS = List.of("json", "ndjson", "csv");

    private final String word;
    private final String type;
    private final String description;
    private final String example;

    QueryParameter(String word, String type, String description, String example) {
        this.word = word;
        this.type = type;
        this.description = description;
        this.example = example;
    }

    /** The parameters that a kind of query takes. */
    static Set<QueryParameter> of(QueryKind kind) {
        EnumSet<QueryParameter> all = EnumSet.of(TENANT, TIMEOUT, LABEL, LABELS, PREFIX, WHERE);
        if (kind != QueryKind.LIVE) {
            all.addAll(EnumSet.of(FROM, TO, LAST, PARTIAL, EXPLAIN));
        }
        switch (kind) {
            case BUCKETS -> Collections.addAll(all, GRANULARITY, ORDER, LIMIT, CURSOR, FORMAT, SPREADSHEET);
            case SERIES -> Collections.addAll(all, GRANULARITY, ORDER, LIMIT, FILL, TZ, CUMULATIVE, RATE, GROUP, GROUP_BY, BY,
                    N, OTHER, LEAST, CONSISTENT, FORMAT, SPREADSHEET);
            case TOTALS -> Collections.addAll(all, TZ, CONSISTENT);
            case TOP -> Collections.addAll(all, BY, ORDER, N, CURSOR, TZ, GROUP_BY, LEAST, AGAINST, AGAINST_FROM, AGAINST_TO,
                    CONSISTENT, FORMAT, SPREADSHEET);
            case BUSIEST -> Collections.addAll(all, GRANULARITY, BY, N, PROFILE, TZ, FORMAT, SPREADSHEET);
            case LIVE -> Collections.addAll(all, GRANULARITY, WINDOW);
            case POSITION -> {
                all.removeAll(EnumSet.of(LABELS, PREFIX, WHERE));
                Collections.addAll(all, TZ, BY, ORDER, WITHIN, AROUND);
            }
            case COMPARE -> Collections.addAll(all, TZ, AGAINST, AGAINST_FROM, AGAINST_TO);
        }
        return all;
    }

    /** The name in requests. */
    public String word() {
        return word;
    }

    /** The JSON schema type: string, integer, boolean or array (of strings, by repeating the parameter). */
    public String type() {
        return type;
    }

    /** Markdown for the API's readers. */
    public String description() {
        return description;
    }

    /** A valid value, or empty. */
    public String example() {
        return example;
    }
}
