package dev.windrow.bench.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Processor time of a process, as Linux reports it in /proc. Of all threads, user and system, garbage
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
        return ticks(pid, USER_TICKS).plus(ofKernel(pid));
    }

    /** System time that a process has used so far. */
    public static Duration ofKernel(long pid) {
        return ticks(pid, SYSTEM_TICKS);
    }

    private static Duration ticks(long pid, int field) {
        String stat = read(Path.of("/proc", Long.toString(pid), "stat"));
        // The second field is the name in parentheses, which may hold anything.
        return Duration.ofMillis(
                TICK_MILLIS * Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[field]));
    }

    /** User and system time that this process has used so far. */
    public static Duration own() {
        return of(ProcessHandle.current().pid());
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
