package dev.windrow.gather.model;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * A measure, computed from a list of events, or a ratio of two measures.
 *
 * @param kind count, sum, min, max, first, last or ratio
 * @param attribute the measured attribute; null for a count of all events, and for a ratio
 * @param floored whether answers show nothing below zero
 * @param least minimum value of the attribute {@code b} for an event to be measured; null for all events
 * @param of the dividend of a ratio; otherwise null
 * @param to the divisor of a ratio; otherwise null
 */
public record ModelMeasure(String name, String kind, @Nullable String attribute, boolean floored, @Nullable BigDecimal least,
        @Nullable ModelMeasure of, @Nullable ModelMeasure to) {

    /** The attribute for how often an event counts, if not once: -1 for a retraction. */
    static final String WEIGHT = "weight";

    private static final Comparator<ModelEvent> BY_TIME = Comparator.comparing(ModelEvent::time);

    ModelMeasure(String name, String kind, @Nullable String attribute, boolean floored) {
        this(name, kind, attribute, floored, null, null, null);
    }

    ModelMeasure(String name, String kind, @Nullable String attribute) {
        this(name, kind, attribute, false);
    }

    static ModelMeasure ratio(String name, ModelMeasure of, ModelMeasure to) {
        return new ModelMeasure(name, "ratio", null, false, null, of, to);
    }

    /** The same measure of only the events with at least this value of {@code b}. */
    ModelMeasure where(String least) {
        return new ModelMeasure(name, kind, attribute, floored, new BigDecimal(least), null, null);
    }

    String yaml() {
        return "{type: " + kind + (attribute == null ? "" : ", attribute: " + attribute) + (floored ? ", floor: 0" : "")
                + (least == null ? "" : ", where: {b: {from: " + least + "}}")
                + (of == null || to == null ? "" : ", of: " + of.name() + ", to: " + to.name()) + "}";
    }

    /** A number as answers show it. */
    BigDecimal shown(BigDecimal number) {
        return floored && number.signum() < 0 ? BigDecimal.ZERO : number;
    }

    /** Its value over events as answers show it. */
    public Optional<BigDecimal> shown(Collection<ModelEvent> events) {
        return of != null && to != null
                ? Optional.ofNullable(quotient(of.total(events).orElse(null), to.total(events).orElse(null)))
                : over(events).map(this::shown);
    }

    /** The same; a count or sum of no events is zero. */
    public Optional<BigDecimal> total(Collection<ModelEvent> events) {
        return shown(events).or(() -> isAdditive() ? Optional.of(BigDecimal.ZERO) : Optional.empty());
    }

    static @Nullable BigDecimal quotient(@Nullable BigDecimal of, @Nullable BigDecimal to) {
        return of == null || to == null || to.signum() == 0 ? null : of.divide(to, MathContext.DECIMAL128);
    }

    public boolean isAdditive() {
        return kind.equals("count") || kind.equals("sum");
    }

    /** Whether a bucket may have no value of it, which counts as zero. */
    boolean mayBeAbsent() {
        return isAdditive() && (attribute != null || least != null);
    }

    public boolean isStored() {
        return of == null;
    }

    /** Its value over events; empty if none of them is measured. */
    Optional<BigDecimal> over(Collection<ModelEvent> events) {
        List<ModelEvent> measured = events.stream().filter(this::measures).toList();
        return switch (kind) {
            case "count" -> measured.stream().map(ModelEvent::weight).reduce(BigDecimal::add);
            case "sum" -> measured.stream().map(this::number).reduce(BigDecimal::add);
            case "min" -> measured.stream().map(this::number).min(Comparator.naturalOrder());
            case "max" -> measured.stream().map(this::number).max(Comparator.naturalOrder());
            case "first" -> measured.stream().min(BY_TIME.thenComparing(this::number)).map(this::number);
            case "last" -> measured.stream().max(BY_TIME.thenComparing(this::number)).map(this::number);
            default -> throw new IllegalStateException(kind);
        };
    }

    /** Extremes ignore retractions, as they cannot be taken back. */
    private boolean measures(ModelEvent event) {
        BigDecimal b = event.attributes().get("b");
        return (attribute == null || event.attributes().containsKey(attribute))
                && (least == null || (b != null && b.compareTo(least) >= 0))
                && (isAdditive() || event.weight().signum() > 0);
    }

    private BigDecimal number(ModelEvent event) {
        BigDecimal number = event.attributes().get(String.valueOf(attribute));
        if (number == null) {
            throw new IllegalStateException("asked for an attribute that is not there");
        }
        return number;
    }
}
