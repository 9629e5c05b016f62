package dev.windrow.bench.partition;

import java.util.function.LongSupplier;

/**
 * Time that runs at a fraction of the wall's, so that a hundred partitions of 1,000 writes/s can be filled by a machine
 * that cannot write 100,000 items a second.
 */
public final class ModelTime implements LongSupplier {

    private final LongSupplier wall;
    private final double speed;
    private final long start;

    /**
     * @param wall nanoseconds of the wall's time
     * @param speed model seconds per wall second, over 0
     */
    public ModelTime(LongSupplier wall, double speed) {
        if (!(speed > 0)) {
            throw new IllegalArgumentException("speed: expected more than 0, found " + speed);
        }
        this.wall = wall;
        this.speed = speed;
        this.start = wall.getAsLong();
    }

    @Override
    public long getAsLong() {
        return Math.round((wall.getAsLong() - start) * speed);
    }
}
