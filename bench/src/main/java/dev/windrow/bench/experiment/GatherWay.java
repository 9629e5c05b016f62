package dev.windrow.bench.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;

import dev.windrow.bench.process.Child;
import dev.windrow.bench.process.ProcessorTime;
import dev.windrow.bench.stats.Numbers;

/**
 * One way of gathering, with what its rounds measured.
 *
 * @param name in the page
 * @param process whose processor time counts
 * @param gathers of a round
 * @param run gathers so often and returns the microseconds of each
 * @param micros of every gather measured
 * @param cpuMicros of each round, per gather
 */
record GatherWay(String name, Child process, int gathers, IntFunction<List<Double>> run, List<Double> micros,
        List<Double> cpuMicros) {

    static GatherWay of(String name, Child process, int gathers, IntFunction<List<Double>> run) {
        return new GatherWay(name, process, gathers, run, new ArrayList<>(), new ArrayList<>());
    }

    /** A baseline that answers {@code run N}. */
    static GatherWay baseline(Child process, int gathers) {
        return of(process.name(), process, gathers, times -> {
            String[] answer = process.ask("run " + times).split(" ", -1);
            return Arrays.stream(answer).skip(1).map(Double::valueOf).toList();
        });
    }

    /** Gathers for so long without measuring. */
    void warmUp(Duration span) {
        long end = System.nanoTime() + span.toNanos();
        while (System.nanoTime() < end) {
            List<Double> unused = run.apply(gathers);
        }
    }

    void round() {
        Duration before = ProcessorTime.of(process.pid());
        micros.addAll(run.apply(gathers));
        cpuMicros.add(ProcessorTime.of(process.pid()).minus(before).toNanos() / 1e3 / gathers);
    }

    double median() {
        return Numbers.median(micros) / 1e3;
    }

    double p99() {
        return Numbers.percentile(micros, 99) / 1e3;
    }

    double cpu() {
        return Numbers.median(cpuMicros) / 1e3;
    }
}
