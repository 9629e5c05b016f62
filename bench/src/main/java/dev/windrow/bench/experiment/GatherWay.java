package dev.windrow.bench.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionException;

import dev.windrow.bench.experiment.Child.Usage;

/**
 * One way of gathering, with what its rounds measured.
 *
 * @param process whose processor time counts
 * @param micros of every gather measured
 * @param rounds what each of them used
 */
record GatherWay(String name, Child process, Run run, List<Double> micros, List<Usage> rounds) {

    private static final int WARM_UP_CLIENTS = 16;

    /** Gathers so often by so many clients at a time, and returns the microseconds of each gather. */
    @FunctionalInterface
    interface Run {
        List<Double> micros(int gathers, int clients);
    }

    static GatherWay of(String name, Child process, Run run) {
        return new GatherWay(name, process, run, new ArrayList<>(), new ArrayList<>());
    }

    /** A baseline that answers {@code run GATHERS CLIENTS}. */
    static GatherWay baseline(Child process) {
        return of(process.name(), process, (times, clients) -> Arrays
                .stream(process.ask("run " + times + " " + clients).split(" ", -1)).map(Double::valueOf).toList());
    }

    /** The same way, with nothing measured yet. */
    GatherWay again() {
        return of(name, process, run);
    }

    /**
     * Gathers for so long without measuring. One client alone waits for the table half of the time, and the compiler takes
     * minutes to see enough: several leave it nothing to do in the rounds, whose processor time counts.
     */
    void warmUp(Duration span, int gathers) {
        long end = System.nanoTime() + span.toNanos();
        while (System.nanoTime() < end) {
            try {
                List<Double> unused = run.micros(gathers, Math.min(WARM_UP_CLIENTS, gathers));
            } catch (CompletionException e) {
                // A cold service may not answer so many at once in time. One that goes on failing does so in the rounds, too.
                System.out.println("  " + name + ", warming up: " + e.getMessage());
            }
        }
    }

    /** Gathers so often by so many clients, and measures. */
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

    /** Milliseconds of processor time for a gather. */
    double cpu() {
        return Lab.median(rounds.stream().map(round -> round.processorMillis() * rounds.size() / micros.size()).toList());
    }

    double perSecond() {
        return micros.size() * 1e9 / rounds.stream().mapToLong(round -> round.wall().toNanos()).sum();
    }
}
