package dev.windrow.bench.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionException;

/**
 * One way of gathering, with the measurements of its rounds.
 *
 * @param process the process whose processor time counts
 * @param micros microseconds of each gather measured
 * @param rounds usage of each round
 */
record GatherWay(String name, Child process, Run run, List<Double> micros, List<Usage> rounds) {

    private static final int WARM_UP_CLIENTS = 16;

    /** Runs a number of gathers with a number of concurrent clients and returns the microseconds of each gather. */
    @FunctionalInterface
    interface Run {
        List<Double> micros(int gathers, int clients);
    }

    static GatherWay of(String name, Child process, Run run) {
        return new GatherWay(name, process, run, new ArrayList<>(), new ArrayList<>());
    }

    /** Creates the way through a baseline that answers {@code run GATHERS CLIENTS}. */
    static GatherWay baseline(Child process) {
        return of(process.name(), process, (times, clients) -> Arrays
                .stream(process.ask("run " + times + " " + clients).split(" ", -1)).map(Double::valueOf).toList());
    }

    /** Returns the same way without measurements. */
    GatherWay again() {
        return of(name, process, run);
    }

    /**
     * Gathers for this long without measuring, with several clients. A single one waits for the table half of the time, so the
     * compiler would need minutes to see enough. With several, it has no work left in the rounds, whose processor time counts.
     */
    void warmUp(Duration span, int gathers) {
        long end = System.nanoTime() + span.toNanos();
        while (System.nanoTime() < end) {
            try {
                List<Double> unused = run.micros(gathers, Math.min(WARM_UP_CLIENTS, gathers));
            } catch (CompletionException e) {
                // A cold service may not answer all clients in time. If it keeps failing, it fails in the rounds, too.
                System.out.println("  " + name + ", warming up: " + e.getMessage());
            }
        }
    }

    /** Runs and measures a round of gathers with a number of clients. */
    GatherWay round(int gathers, int clients) {
        rounds.add(Usage.of(List.of(process), () -> micros.addAll(run.micros(gathers, clients))));
        return this;
    }

    double median() {
        return Lab.median(micros) / 1e3;
    }

    double p99() {
        return Lab.percentile(micros, 99) / 1e3;
    }

    /** Returns milliseconds of processor time per gather. */
    double cpu() {
        return Lab.median(rounds.stream().map(round -> round.processorMillis() * rounds.size() / micros.size()).toList());
    }

    double perSecond() {
        return micros.size() * 1e9 / rounds.stream().mapToLong(round -> round.wall().toNanos()).sum();
    }
}
