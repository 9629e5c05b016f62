package dev.windrow.bench.table;

import java.time.Duration;

/**
 * Capacity of one partition key: it fills at a steady rate up to a second's worth. The service's burst of up to five minutes of
 * unused capacity is not modeled. Below zero it is a queue that drains at the same rate.
 */
final class TokenBucket {

    private static final double NANOS = 1e9;

    private final double unitsPerSecond;
    private double units;
    private long filledAt;

    /** @param now nanoseconds of the model's time */
    TokenBucket(double unitsPerSecond, long now) {
        this.unitsPerSecond = unitsPerSecond;
        this.units = unitsPerSecond;
        this.filledAt = now;
    }

    /** Units that can be taken now; negative while in debt. */
    double available(long now) {
        if (now > filledAt) {
            units = Math.min(unitsPerSecond, units + (now - filledAt) / NANOS * unitsPerSecond);
            filledAt = now;
        }
        return units;
    }

    /** Takes units, into debt if need be; returns how long the debt takes to be paid. */
    Duration take(double taken, long now) {
        units = available(now) - taken;
        return Duration.ofNanos((long) Math.max(0, -units / unitsPerSecond * NANOS));
    }
}
