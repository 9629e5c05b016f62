package dev.windrow.bench.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Processor time and memory of a process, as Linux reports it in /proc. Times are of all threads, user and system, garbage
 * collector and compiler included.
 */
public final class ProcessorTime {

    // The unit of /proc/PID/stat; 100 a second on every Linux that Java runs on.
    private static final long TICK_MILLIS = 10;
    private static final int USER_TICKS = 11;
    private static final int SYSTEM_TICKS = 12;

    private ProcessorTime() {
    }

    /**
     * User and system time a process has used so far.
     *
     * @throws UncheckedIOException if it has ended
     */
    public static Duration of(long pid) {
        String stat = read(Path.of("/proc", Long.toString(pid), "stat"));
        // The second field is the name in parentheses, which may hold anything.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        long ticks = Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[SYSTEM_TICKS]);
        return Duration.ofMillis(ticks * TICK_MILLIS);
    }

    /** User and system time that this process has used so far. */
    public static Duration own() {
        return of(ProcessHandle.current().pid());
    }

    /** Resident memory of a process, in bytes. */
    public static long residentBytes(long pid) {
        for (String line : read(Path.of("/proc", Long.toString(pid), "status")).split("\n", -1)) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
            }
        }
        throw new IllegalStateException("no VmRSS of process " + pid);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
