package dev.windrow.bench.baseline;

import java.util.StringJoiner;
import java.util.function.LongSupplier;

/** Runs a gather a number of times and tells how long each took. */
final class Timed {

    private Timed() {
    }

    /**
     * @param line {@code run N}
     * @param gather answers how many items it found
     * @return the items of the last gather, then the microseconds of each
     */
    static String run(String line, LongSupplier gather) {
        int times = Integer.parseInt(line.substring("run ".length()));
        StringJoiner latencies = new StringJoiner(" ");
        long items = 0;
        for (int i = 0; i < times; i++) {
            long begin = System.nanoTime();
            items = gather.getAsLong();
            latencies.add(Long.toString((System.nanoTime() - begin) / 1_000));
        }
        return items + " " + latencies;
    }
}
