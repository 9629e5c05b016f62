package dev.windrow.gather.query;

import java.math.BigDecimal;
import java.util.Comparator;

/** Orders of a top list by number. */
public enum Ranking {

    /** Largest first. */
    DESC,
    /** Smallest first. */
    ASC,
    /** Farthest from zero first, below or above. */
    MAGNITUDE;

    /** The order itself. */
    public Comparator<BigDecimal> comparator() {
        return switch (this) {
            case DESC -> Comparator.reverseOrder();
            case ASC -> Comparator.naturalOrder();
            case MAGNITUDE -> Comparator.comparing((BigDecimal number) -> number.abs()).reversed();
        };
    }

    static Ranking of(Parameters parameters) {
        return parameters.choice(QueryParameter.ORDER, values()).orElse(DESC);
    }
}
