package dev.windrow.gather.read;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.Measure;
import dev.windrow.dataset.MeasureKind;
import dev.windrow.dataset.MeasurePart;
import dev.windrow.dataset.MeasurePartReader;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.gather.plan.MeasureValues;
import dev.windrow.time.EventTimes;

/** Reads the values of measures in an item, one after the other. */
public final class ItemValues implements MeasurePartReader {

    private final @Nullable String[] texts;
    private int place;

    /**
     * @param texts the values of the item's attributes; null where it has none
     * @param place index in {@code texts} of the first of {@link #attributes}
     */
    public ItemValues(@Nullable String[] texts, int place) {
        this.texts = texts;
        this.place = place;
    }

    /** The attributes that hold the values of measures, in the order in which they are read. */
    public static List<String> attributes(List<Measure> measures) {
        return measures.stream()
                .flatMap(measure -> measure.kind().parts().stream().map(part -> part.attribute(measure.name()))).toList();
    }

    /**
     * The values of all measures.
     *
     * @throws IllegalStateException if a measure lacks a part
     */
    public MeasureValues of(List<Measure> measures) {
        List<@Nullable MeasureValue> values = new ArrayList<>(measures.size());
        for (int i = 0; i < measures.size(); i++) {
            MeasureKind kind = measures.get(i).kind();
            if (texts[place] == null) {
                values.add(null);
                place += kind.parts().size();
            } else {
                values.add(kind.read(this));
            }
        }
        return new MeasureValues(measures, values);
    }

    @Override
    public BigDecimal number(MeasurePart part) {
        String text = texts[place++];
        if (text == null) {
            throw new IllegalStateException("an item has a measure without its " + part.word()
                    + ": it was not written by Windrow");
        }
        return new BigDecimal(text);
    }

    @Override
    public Instant time(MeasurePart part) {
        return EventTimes.ofEpochSeconds(part.word(), number(part));
    }
}
