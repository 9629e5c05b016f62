package dev.windrow.writer.process;

import java.math.BigDecimal;

import org.jspecify.annotations.Nullable;

/**
 * What a bucket holds, in the plainest form: numbers compare by value, whatever their scale.
 *
 * @param events the count
 * @param bytes the sum
 * @param largest the greatest value, absent where the dataset does not keep it
 * @param smallest likewise, the least
 */
record Measures(BigDecimal events, BigDecimal bytes, @Nullable BigDecimal largest, @Nullable BigDecimal smallest) {

    static Measures of(BigDecimal events, BigDecimal bytes, @Nullable BigDecimal largest,
            @Nullable BigDecimal smallest) {
        return new Measures(plain(events), plain(bytes), largest == null ? null : plain(largest),
                smallest == null ? null : plain(smallest));
    }

    Measures plus(Measures other) {
        return of(events.add(other.events), bytes.add(other.bytes),
                largest == null || other.largest == null ? null : largest.max(other.largest),
                smallest == null || other.smallest == null ? null : smallest.min(other.smallest));
    }

    private static BigDecimal plain(BigDecimal number) {
        return number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros();
    }
}
