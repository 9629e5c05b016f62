package dev.windrow.gather.query;

/**
 * Every parameter the API knows. This is the one list: requests are checked against it and the API's description is
 * written from it.
 */
public enum QueryParameter {

    TENANT("tenant", "string", "Whose data is asked for. With authentication, the credential decides, and only its own "
            + "tenant may be named; without, `default` if absent.", "default"),
    GRANULARITY("granularity", "string", "The buckets' granularity; may be absent where only one is possible.", "hour"),
    FROM("from", "string", "Earliest bucket start, inclusive: RFC 3339, seconds since 1970, `now`, or relative to now "
            + "as an ISO 8601 duration with sign (`-PT1H`, `-P7D`). All time if absent.", "2026-11-20T00:00:00Z"),
    TO("to", "string", "Latest bucket start, exclusive; forms as `from`. No end if absent.", "2026-11-21T00:00:00Z"),
    LAST("last", "string", "Instead of `from` and `to`: the range that ends now and is this long, as a number and a unit "
            + "(`s`, `m`, `h`, `d`, `w`), such as `7d`.", "7d"),
    ORDER("order", "string", "`asc` (the default) or `desc` by bucket start, then label.", "asc"),
    LIMIT("limit", "integer", "Most items of a page.", "100"),
    CURSOR("cursor", "string", "The `next` of the page before; all other parameters that choose or order items must "
            + "be repeated as they were.", ""),
    LABEL("label", "array", "The label: one value per declared attribute, repeated in declared order. As a filter, the "
            + "first values are enough.", "https://example.org/"),
    PREFIX("prefix", "string", "Only labels whose next value, after those given by `label`, begins so.", "https://"),
    TIMEOUT("timeout", "string", "How long the answer may take, such as `500ms`, `2s` or `PT2S`; the server caps it.",
            "2s"),
    PARTIAL("partial", "boolean", "`true` (the default): answer without the shards that failed, and say so. `false`: "
            + "a failed shard is a problem.", "true");

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

    /** A value that is taken, or empty. */
    public String example() {
        return example;
    }
}
