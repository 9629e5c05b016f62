package dev.windrow.bench.partition;

import java.time.Duration;

/**
 * Capacity of one partition key: it fills at a steady rate up to a second's worth; the service's burst of up to five minutes of
 * unused
 * capacity is not modelled. With a debt allowed it may go below zero: that is a queue which drains at the same rate.
 */
final class TokenBucket {

    private static final double NANOS = 1e9;

    private final double unitsPerSecond;
    private double units;
    private long filledAt;

    /**
     * @param unitsPerSecond the rate
     * @param now nanoseconds of the model's time
     */
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

    /** Takes units, into debt if need be. */
    void take(double taken, long now) {
        units = available(now) - taken;
    }

    /** How long the debt takes to be paid; zero without debt. */
    Duration debt(long now) {
        double available = available(now);
        return available >= 0 ? Duration.ZERO : Duration.ofNanos((long) (-available / unitsPerSecond * NANOS));
    }
}
