package dev.windrow.bench.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One way of gathering, with what its rounds measured.
 *
 * @param process whose processor time counts
 * @param gathers of a round
 * @param micros of every gather measured
 * @param cpuMillis of each round, per gather
 */
record GatherWay(String name, Child process, int gathers, Run run, List<Double> micros, List<Double> cpuMillis) {

    private static final int WARM_UP_CLIENTS = 16;

    /** Gathers so often by so many clients at a time, and returns the microseconds of each gather. */
    @FunctionalInterface
    interface Run {
        List<Double> micros(int gathers, int clients);
    }

    static GatherWay of(String name, Child process, int gathers, Run run) {
        return new GatherWay(name, process, gathers, run, new ArrayList<>(), new ArrayList<>());
    }

    /** A baseline that answers {@code run GATHERS CLIENTS}. */
    static GatherWay baseline(Child process, int gathers) {
        return of(process.name(), process, gathers, (times, clients) -> Arrays
                .stream(process.ask("run " + times + " " + clients).split(" ", -1)).map(Double::valueOf).toList());
    }

    /**
     * Gathers for so long without measuring. One client alone waits for the table half of the time, and the compiler takes
     * minutes to see enough: several leave it nothing to do in the rounds, whose processor time counts.
     */
    void warmUp(Duration span) {
        gather(span, Math.min(WARM_UP_CLIENTS, gathers));
    }

    /** Gathers for so long, by so many clients at a time. */
    void gather(Duration span, int clients) {
        long end = System.nanoTime() + span.toNanos();
        while (System.nanoTime() < end) {
            List<Double> unused = run.micros(gathers, clients);
        }
    }

    /** Gathers by one client, and measures. */
    void round() {
        ProcessorTime before = process.processorTime();
        micros.addAll(run.micros(gathers, 1));
        cpuMillis.add(process.processorTime().minus(before).millis() / gathers);
    }

    void rounds(int count) {
        IntStream.range(0, count).forEach(i -> round());
    }

    double median() {
        return Numbers.median(micros) / 1e3;
    }

    double p99() {
        return Numbers.percentile(micros, 99) / 1e3;
    }

    double cpu() {
        return Numbers.median(cpuMillis);
    }
}
