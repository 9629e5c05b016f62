package dev.windrow.bench.experiment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

import com.sun.management.ThreadMXBean;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;

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
        return processes.stream().mapToDouble(Usage::allocated).sum();
    }

    /** What the threads that live have allocated so far, in KB; NaN if the process is not a JVM. */
    // The address is that of a process which the harness started.
    @SuppressWarnings("BanJNDI")
    private static double allocated(Child child) {
        if (!child.jvm()) {
            return Double.NaN;
        }
        try {
            VirtualMachine jvm = VirtualMachine.attach(Long.toString(child.process().pid()));
            try (JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(jvm.startLocalManagementAgent()))) {
                ThreadMXBean threads = ManagementFactory.newPlatformMXBeanProxy(connector.getMBeanServerConnection(),
                        ManagementFactory.THREAD_MXBEAN_NAME, ThreadMXBean.class);
                return LongStream.of(threads.getThreadAllocatedBytes(threads.getAllThreadIds())).filter(bytes -> bytes > 0)
                        .sum() / 1_024.0;
            } finally {
                jvm.detach();
            }
        } catch (IOException | AttachNotSupportedException e) {
            throw new IllegalStateException("cannot attach to " + child.name(), e);
        }
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

    /**
     * Processor time that a process has used so far, as Linux reports it in /proc, of all threads.
     *
     * @param total user and system time, garbage collector and compiler included
     * @param kernel system time
     * @param collector of the threads of the garbage collector, the VM's other operations included
     */
    record ProcessorTime(Duration total, Duration kernel, Duration collector) {

        static final ProcessorTime NONE = new ProcessorTime(Duration.ZERO, Duration.ZERO, Duration.ZERO);

        // The unit of /proc/PID/stat; 100 a second on every Linux that Java runs on.
        private static final long TICK_MILLIS = 10;
        private static final int USER_TICKS = 11;
        private static final int SYSTEM_TICKS = 12;
        /**
         * How the JVM names threads of its garbage collectors. The serial one has none of its own: it runs in the VM's thread.
         */
        private static final List<String> COLLECTOR = List.of("(GC ", "(G1 ", "(VM Thread)");

        /** @throws UncheckedIOException if the process has ended */
        static ProcessorTime of(long pid) {
            Path process = Path.of("/proc", Long.toString(pid));
            try (Stream<Path> threads = Files.list(process.resolve("task"))) {
                String all = Files.readString(process.resolve("stat"));
                Duration collector = threads.map(ProcessorTime::stat)
                        .filter(stat -> COLLECTOR.stream().anyMatch(stat::contains))
                        .map(stat -> ticks(stat, USER_TICKS).plus(ticks(stat, SYSTEM_TICKS)))
                        .reduce(Duration.ZERO, Duration::plus);
                return new ProcessorTime(ticks(all, USER_TICKS).plus(ticks(all, SYSTEM_TICKS)), ticks(all, SYSTEM_TICKS),
                        collector);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        static ProcessorTime of(List<Child> processes) {
            return processes.stream().map(child -> of(child.process().pid())).reduce(NONE, ProcessorTime::plus);
        }

        /** Of the harness, servers included. */
        static ProcessorTime own() {
            return of(ProcessHandle.current().pid());
        }

        ProcessorTime plus(ProcessorTime other) {
            return new ProcessorTime(total.plus(other.total), kernel.plus(other.kernel), collector.plus(other.collector));
        }

        ProcessorTime minus(ProcessorTime earlier) {
            return new ProcessorTime(total.minus(earlier.total), kernel.minus(earlier.kernel),
                    collector.minus(earlier.collector));
        }

        double millis() {
            return total.toNanos() / 1e6;
        }

        private static Duration ticks(String stat, int field) {
            // The second field is the name in parentheses, which may hold anything.
            return Duration.ofMillis(
                    TICK_MILLIS * Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[field]));
        }

        /** A thread that has ended meanwhile has none. */
        private static String stat(Path thread) {
            try {
                return Files.readString(thread.resolve("stat"));
            } catch (IOException e) {
                return "";
            }
        }
    }
}
