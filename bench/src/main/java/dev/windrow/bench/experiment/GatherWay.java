package dev.windrow.bench.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;

import dev.windrow.bench.experiment.Usage.ProcessorTime;
import dev.windrow.bench.page.Section.Table;

/**
 * One way of gathering, with what its rounds measured.
 *
 * @param process whose processor time counts
 * @param gathers of a round
 * @param micros of every gather measured
 * @param rounds what each of them used
 */
record GatherWay(String name, Child process, int gathers, Run run, List<Double> micros, List<Usage> rounds) {

    /** What {@link #cells} are. */
    static final List<String> COLUMNS = List.of("median ms", "p99 ms", "ms of CPU per gather", "kernel, %",
            "garbage collector, %", "KB allocated per gather");

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
            try {
                List<Double> unused = run.micros(gathers, clients);
            } catch (CompletionException e) {
                // A hundred TLS connections at once may take a cold service longer than it waits for a shard. One that goes on
                // failing does so in the rounds, too.
                System.out.println("  " + name + ", warming up: " + e.getMessage());
            }
        }
    }

    /** Gathers by so many clients, and measures. */
    GatherWay round(int clients) {
        rounds.add(Usage.of(List.of(process), () -> micros.addAll(run.micros(gathers, clients))));
        return this;
    }

    void rounds(int count) {
        IntStream.range(0, count).forEach(i -> round(1));
    }

    double median() {
        return Numbers.median(micros) / 1e3;
    }

    double p99() {
        return Numbers.percentile(micros, 99) / 1e3;
    }

    double cpu() {
        return Numbers.median(rounds.stream().map(round -> perGather(round.processor())).toList());
    }

    /** Milliseconds of the harness's processor time for a gather. */
    double harnessCpu() {
        return perGather(Usage.sum(rounds).harness()) / rounds.size();
    }

    private double perGather(ProcessorTime used) {
        return used.millis() * rounds.size() / micros.size();
    }

    double perSecond() {
        return micros.size() * 1e9 / Usage.sum(rounds).wall().toNanos();
    }

    /** A row's cells for {@link #COLUMNS}. */
    List<Object> cells() {
        return Table.row(median(), p99(), cpu(), Usage.sum(rounds).shares(micros.size()));
    }
}
