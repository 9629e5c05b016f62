package dev.windrow.bench.partition;

/** The formulas of the seeds, to be checked against their own worked examples and then against what was measured. */
public final class Formulas {

    private static final double GB_OF_A_PARTITION = 10;

    private Formulas() {
    }

    /** Partitions for a throughput: CEIL(RCU / 3000 + WCU / 1000) (seed "AWS and other interesting stuff"). */
    public static int partitionsForCapacity(double readUnits, double writeUnits) {
        return (int) Math.ceil(readUnits / 3_000 + writeUnits / 1_000);
    }

    /** Partitions for a size: CEIL(GB / 10) (the same). */
    public static int partitionsForSize(double gigabytes) {
        return (int) Math.ceil(gigabytes / GB_OF_A_PARTITION);
    }

    /** Partitions of a table: the greater of both (the same). */
    public static int partitions(double readUnits, double writeUnits, double gigabytes) {
        return Math.max(partitionsForCapacity(readUnits, writeUnits), partitionsForSize(gigabytes));
    }

    /**
     * Writes that a batch of events needs: ((events / events per second) × labels) / seconds downsampled (seed "Scaling
     * Writes on Amazon DynamoDB Tables with Global Secondary Indexes").
     */
    public static double writes(double events, double eventsPerSecond, double labels, double secondsDownsampled) {
        return events / eventsPerSecond * labels / secondsDownsampled;
    }

    /** Writes per second that a scattered index takes for one event time: 1,000 × width (the same). */
    public static double scatteredWrites(int width) {
        return 1_000.0 * width;
    }
}
