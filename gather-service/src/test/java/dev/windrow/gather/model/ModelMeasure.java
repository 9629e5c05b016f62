package dev.windrow.gather.model;

import java.math.BigDecimal;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * A measure, worked out from a list of events.
 *
 * @param name its name
 * @param kind count, sum, min, max, first or last
 * @param attribute of what; null for a count
 * @param floored whether answers show nothing below zero
 */
public record ModelMeasure(String name, String kind, @Nullable String attribute, boolean floored) {

    /** How often an event counts, where it is not once: -1 for one that retracts another. */
    static final String WEIGHT = "weight";

    private static final Comparator<ModelEvent> BY_TIME = Comparator.comparing(ModelEvent::time);

    ModelMeasure(String name, String kind, @Nullable String attribute) {
        this(name, kind, attribute, false);
    }

    /** A number as answers show it. */
    BigDecimal shown(BigDecimal number) {
        return floored && number.signum() < 0 ? BigDecimal.ZERO : number;
    }

    /** Its value over events as answers show it. */
    public Optional<BigDecimal> shown(Collection<ModelEvent> events) {
        return over(events).map(this::shown);
    }

    public boolean isAdditive() {
        return kind.equals("count") || kind.equals("sum");
    }

    /** Its value over events; empty if none of them has the attribute. */
    Optional<BigDecimal> over(Collection<ModelEvent> events) {
        if (attribute == null) {
            return events.stream().map(ModelEvent::weight).reduce(BigDecimal::add);
        }
        List<ModelEvent> with = events.stream().filter(event -> event.attributes().containsKey(attribute)).toList();
        return switch (kind) {
            case "sum" -> with.stream().map(this::number).reduce(BigDecimal::add);
            case "min" -> with.stream().map(this::number).min(Comparator.naturalOrder());
            case "max" -> with.stream().map(this::number).max(Comparator.naturalOrder());
            case "first" -> with.stream().min(BY_TIME.thenComparing(this::number)).map(this::number);
            case "last" -> with.stream().max(BY_TIME.thenComparing(this::number)).map(this::number);
            default -> throw new IllegalStateException(kind);
        };
    }

    private BigDecimal number(ModelEvent event) {
        BigDecimal number = event.attributes().get(String.valueOf(attribute));
        if (number == null) {
            throw new IllegalStateException("asked for an attribute that is not there");
        }
        return number;
    }
}
