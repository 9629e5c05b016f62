package dev.windrow.gather.rank;

import java.math.BigDecimal;
import java.util.Comparator;

import dev.windrow.gather.parameter.Parameters;
import dev.windrow.gather.parameter.QueryParameter;

/** Orders of a top list by number. */
public enum Ranking {

    DESC,
    ASC,
    /** Farthest from zero first, below or above. */
    MAGNITUDE;

    Comparator<BigDecimal> comparator() {
        return switch (this) {
            case DESC -> Comparator.reverseOrder();
            case ASC -> Comparator.naturalOrder();
            case MAGNITUDE -> Comparator.comparing((BigDecimal number) -> number.abs()).reversed();
        };
    }

    public static Ranking of(Parameters parameters) {
        return parameters.choice(QueryParameter.ORDER, values()).orElse(DESC);
    }
}
