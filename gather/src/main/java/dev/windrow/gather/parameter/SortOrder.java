package dev.windrow.gather.parameter;

public enum SortOrder {
    ASC,
    DESC;

    /** The order that the parameter names, or else this one. */
    public static SortOrder of(Parameters parameters, SortOrder absent) {
        return parameters.choice(QueryParameter.ORDER, values()).orElse(absent);
    }
}
