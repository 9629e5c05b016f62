package dev.windrow.gather.query;

import java.util.Locale;

/** Orders of a list. */
enum SortOrder {
    ASC,
    DESC;

    /** The order that the parameter names, or else this one. */
    static SortOrder of(Parameters parameters, SortOrder absent) {
        return parameters.choice(QueryParameter.ORDER, values(), order -> order.name().toLowerCase(Locale.ROOT))
                .orElse(absent);
    }
}
