package dev.windrow.bench.experiment;

import java.time.Duration;
import java.util.List;

/**
 * What processes used while something ran.
 *
 * @param processor of the processes
 * @param harness processor time of the harness meanwhile, servers included
 * @param wall how long it took
 * @param kilobytes allocated in Java's heap by the threads that live; NaN if one of the processes is no JVM
 */
record Usage(ProcessorTime processor, ProcessorTime harness, Duration wall, double kilobytes) {

    static Usage of(List<Child> processes, Runnable work) {
        double kilobytes = allocated(processes);
        ProcessorTime processor = ProcessorTime.of(processes);
        ProcessorTime harness = ProcessorTime.own();
        long start = System.nanoTime();
        work.run();
        return new Usage(ProcessorTime.of(processes).minus(processor), ProcessorTime.own().minus(harness),
                Duration.ofNanos(System.nanoTime() - start), allocated(processes) - kilobytes);
    }

    private static double allocated(List<Child> processes) {
        return processes.stream().mapToDouble(Allocation::kilobytes).sum();
    }

    static Usage sum(List<Usage> all) {
        return all.stream().reduce((a, b) -> new Usage(a.processor.plus(b.processor), a.harness.plus(b.harness),
                a.wall.plus(b.wall), a.kilobytes + b.kilobytes)).orElseThrow();
    }

    /** Percent of the processor time in the kernel, percent in the garbage collector, and KB allocated by each operation. */
    List<Object> shares(double operations) {
        double total = Math.max(1, processor.total().toNanos()) / 100.0;
        return List.of(processor.kernel().toNanos() / total, processor.collector().toNanos() / total,
                Double.isNaN(kilobytes) ? "" : (Object) (kilobytes / operations));
    }
}
