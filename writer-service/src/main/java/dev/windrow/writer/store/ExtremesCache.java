package dev.windrow.writer.store;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.windrow.measure.Measure;
import dev.windrow.measure.MeasureKind;
import dev.windrow.measure.MeasureValue;
import dev.windrow.table.TableSchema;
import dev.windrow.time.Granularity;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The best values that the table was last seen to hold, most recently used first to stay. While an item lives its extremes
 * only get better, so what does not beat a remembered value cannot win; but an item may be deleted, expire or be replaced by
 * an older one, so whoever relies on this has to make sure in the write itself. Thread-safe.
 */
public final class ExtremesCache {

    /** One extreme of one bucket. */
    record Key(String partitionKey, Granularity granularity, long startSecond, String measure) {
    }

    private final Map<Key, MeasureValue> best;

    /** @param maxSize maximum number of values remembered */
    public ExtremesCache(int maxSize) {
        this.best = new LinkedHashMap<>(16, 0.75f, true) {

            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Key, MeasureValue> eldest) {
                return size() > maxSize;
            }
        };
    }

    synchronized boolean canWin(Key key, MeasureKind kind, MeasureValue value) {
        MeasureValue known = best.get(key);
        return known == null || !same(kind.combine(known, value), known);
    }

    synchronized void note(Key key, MeasureKind kind, MeasureValue value) {
        best.merge(key, value, kind::combine);
    }

    synchronized void forget(Key key) {
        best.remove(key);
    }

    /** Learns from an item whose condition failed; without its values, at least the value that lost is known. */
    void noteItem(Key key, Measure measure, @Nullable Map<String, AttributeValue> item, MeasureValue lost) {
        AttributeValue value = item == null ? null : item.get(TableSchema.measureAttribute(measure.name()));
        AttributeValue time = item == null ? null : item.get(TableSchema.measureTimeAttribute(measure.name()));
        if (value == null || value.n() == null || (measure.kind().isTimed() && (time == null || time.n() == null))) {
            note(key, measure.kind(), lost);
            return;
        }
        BigDecimal number = new BigDecimal(value.n());
        note(key, measure.kind(), measure.kind().isTimed() && time != null
                ? MeasureValue.at(number, instant(new BigDecimal(time.n())))
                : MeasureValue.of(number));
    }

    private static Instant instant(BigDecimal seconds) {
        long whole = seconds.longValue();
        return Instant.ofEpochSecond(whole, seconds.subtract(BigDecimal.valueOf(whole)).movePointRight(9).longValue());
    }

    private static boolean same(MeasureValue a, MeasureValue b) {
        return a.value().compareTo(b.value()) == 0 && Objects.equals(a.time(), b.time());
    }
}
