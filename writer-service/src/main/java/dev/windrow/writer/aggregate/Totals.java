package dev.windrow.writer.aggregate;

import java.math.BigDecimal;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.windrow.event.Attribute;
import dev.windrow.event.Event;
import dev.windrow.measure.Measure;
import dev.windrow.measure.MeasureKind;
import dev.windrow.measure.MeasureValue;

/** What the measures of one bucket amount to so far. Not thread-safe; confined to one message, then to one flush. */
public final class Totals {

    /** All count measures of a dataset count the same events. */
    private long count;
    private final @Nullable MeasureValue[] values;

    Totals(int measures) {
        this.values = new MeasureValue[measures];
    }

    /**
     * Counts an event. An attribute that it lacks adds nothing to its measure. A retraction is taken from counts; a sum
     * takes the attribute as it stands, so the producer gives it negative; extremes cannot be taken back, so a retraction
     * does not touch them.
     */
    void add(List<Measure> measures, Event event) {
        count += event.count();
        for (int i = 0; i < values.length; i++) {
            Measure measure = measures.get(i);
            MeasureKind kind = measure.kind();
            boolean counts = kind != MeasureKind.COUNT && (kind == MeasureKind.SUM || event.count() > 0);
            if (counts && event.attributes().get(measure.attribute()) instanceof Attribute.Decimal number) {
                MeasureValue value = kind.isTimed() ? MeasureValue.at(number.value(), event.time())
                        : MeasureValue.of(number.value());
                combine(i, kind, value);
            }
        }
    }

    /** Adds what another bucket amounts to. */
    void add(List<Measure> measures, Totals other) {
        count += other.count;
        for (int i = 0; i < values.length; i++) {
            MeasureValue value = other.values[i];
            if (value != null) {
                combine(i, measures.get(i).kind(), value);
            }
        }
    }

    private void combine(int measure, MeasureKind kind, MeasureValue value) {
        MeasureValue before = values[measure];
        values[measure] = before == null ? value : kind.combine(before, value);
    }

    /**
     * The value of a measure.
     *
     * @param measure its position in the dataset
     * @return null if no event had its attribute
     */
    public @Nullable MeasureValue value(List<Measure> measures, int measure) {
        return measures.get(measure).kind() == MeasureKind.COUNT ? MeasureValue.of(BigDecimal.valueOf(count))
                : values[measure];
    }
}
