package dev.windrow.writer.process;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The heap that a process uses over time: what is left after collections is the lowest of many samples. */
final class HeapWatch {

    /** What may be loaded and cached meanwhile. */
    static final double MAX_GROWTH = 24 * 1_024 * 1_024;

    private static final double MEGABYTE = 1_024 * 1_024;
    private static final int PARTS = 3;
    /** Fewer do not include one soon after a collection. */
    private static final int MIN_SAMPLES_OF_PART = 20;

    private final List<Double> samples = new ArrayList<>();

    void see(double bytes) {
        samples.add(bytes);
    }

    /** By how many bytes the lowest of the last third is above that of the first; 0 if there are too few samples. */
    double growth() {
        int part = samples.size() / PARTS;
        return part < MIN_SAMPLES_OF_PART ? 0 : lowest(samples.size() - part, samples.size()) - lowest(0, part);
    }

    private double lowest(int from, int to) {
        return samples.subList(from, to).stream().mapToDouble(Double::doubleValue).min().orElse(0);
    }

    @Override
    public String toString() {
        int part = samples.size() / PARTS;
        return String.format(Locale.ROOT,
                "heap of the spared writer: %d samples, lowest %.0f MB in the first third, %.0f MB in the last",
                samples.size(), lowest(0, part) / MEGABYTE, lowest(samples.size() - part, samples.size()) / MEGABYTE);
    }
}
