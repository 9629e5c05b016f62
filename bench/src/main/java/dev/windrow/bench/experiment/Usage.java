package dev.windrow.bench.experiment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Resources that processes used while something ran.
 *
 * @param processor user and system time of all threads, including compiler and garbage collector
 * @param wall elapsed time
 */
record Usage(Duration processor, Duration wall) {

    // The unit of /proc/PID/stat: 100 per second on every Linux that Java runs on.
    private static final long TICK_MILLIS = 10;
    private static final int USER_TICKS = 11;
    private static final int SYSTEM_TICKS = 12;

    static Usage of(List<Child> processes, Runnable work) {
        Duration processor = processor(processes);
        long start = System.nanoTime();
        work.run();
        return new Usage(processor(processes).minus(processor), Duration.ofNanos(System.nanoTime() - start));
    }

    /**
     * Returns the processor time that processes have used so far.
     *
     * @throws UncheckedIOException if one of them has ended
     */
    static Duration processor(List<Child> processes) {
        return processes.stream().map(Usage::processor).reduce(Duration.ZERO, Duration::plus);
    }

    private static Duration processor(Child child) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(child.process().pid()), "stat"));
            // The second field is the process name in parentheses, which may contain any character.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return Duration.ofMillis(
                    TICK_MILLIS * (Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[SYSTEM_TICKS])));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    double processorMillis() {
        return processor.toNanos() / 1e6;
    }
}
