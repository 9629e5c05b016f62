package dev.windrow.gather.query;

/** Orders of a list. */
public enum SortOrder {
    ASC,
    DESC;

    /** The order that the parameter names, or else this one. */
    static SortOrder of(Parameters parameters, SortOrder absent) {
        return parameters.choice(QueryParameter.ORDER, values()).orElse(absent);
    }
}
