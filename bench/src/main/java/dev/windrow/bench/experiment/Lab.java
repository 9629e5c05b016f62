package dev.windrow.bench.experiment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

import io.vertx.core.Vertx;

/**
 * Context shared by the experiments: folders, thoroughness, and how to start the measured processes.
 *
 * @param root the project's folder, with all modules packaged
 * @param work a folder for logs and generated files
 * @param quick whether to limit the run to a few minutes
 * @param seed seed of everything drawn at random
 * @param vertx runs the servers
 */
public record Lab(Path root, Path work, boolean quick, long seed, Vertx vertx) {

    static final String WRITER = "writer-service";
    static final String GATHERER = "gather-service";

    private static final String JAVA = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private static final Duration START_LIMIT = Duration.ofMinutes(3);
    private static final Duration LOOK_EVERY = Duration.ofMillis(2);
    /** Uses the garbage collector that the JVM chooses in a container of the chart's default size. */
    private static final List<String> JVM = List.of(JAVA, "-Xmx512m", "-XX:+UseSerialGC");
    /** Uses the garbage collector of the writer's image. */
    private static final List<String> CONSUMER_JVM = List.of(JAVA, "-Xmx512m", "-XX:+UseParallelGC", "-XX:NewRatio=1");

    /** Returns the number of rounds of each measurement, after the warm-up. */
    int rounds() {
        return quick ? 3 : 5;
    }

    /** Returns the full amount, or a tenth of it in a quick run. */
    int amount(int full) {
        return quick ? Math.max(1, full / 10) : full;
    }

    /** Returns the full number of seconds, or a tenth of it in a quick run. */
    Duration seconds(int full) {
        return Duration.ofSeconds(amount(full));
    }

    /** Runs an action on each element several times, rotating the order: an element always first measured up to 10% more. */
    static <T> void inTurn(int times, List<T> all, Consumer<T> each) {
        List<T> order = new ArrayList<>(all);
        for (int i = 0; i < times; i++) {
            order.forEach(each);
            Collections.rotate(order, 1);
        }
    }

    static <K, V> V named(Map<K, V> all, K name) {
        return Objects.requireNonNull(all.get(name), () -> name + " is missing");
    }

    /** Returns the middle value, or the mean of the two middle ones. */
    static double median(List<Double> values) {
        return percentile(values, 50);
    }

    /** Returns a percentile of at least one value, interpolated linearly between the two nearest. */
    static double percentile(List<Double> values, double percent) {
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        double at = percent / 100 * (sorted.length - 1);
        int below = (int) at;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
    }

    void progress(String format, Object... values) {
        System.out.println("  " + String.format(Locale.ROOT, format, values));
    }

    /** Returns random numbers for one purpose, the same for the same seed. */
    RandomGenerator random(String purpose) {
        return RandomGeneratorFactory.of("Xoshiro256PlusPlus").create(seed ^ purpose.hashCode());
    }

    /** Returns random latencies of 4 to 10 ms, like those of a table. */
    Supplier<Duration> tableLatency() {
        RandomGenerator random = random("latency");
        return () -> Duration.ofMillis(random.nextInt(4, 11));
    }

    /** Starts a baseline, a main class of this module that answers lines; the consumer gets the writer's JVM options. */
    Child baseline(String name, String mainClass, List<String> arguments) {
        return Child.start(name, log(name + ".log"), Map.of(), 0, mainClass.equals("Consumer") ? CONSUMER_JVM : JVM,
                List.of("-cp", System.getProperty("java.class.path"), "dev.windrow.bench.baseline." + mainClass), arguments);
    }

    /** Starts a packaged service and waits until it is ready; properties may include JVM options. */
    Child service(String name, String module, List<String> properties) {
        int port = freePort();
        int management = freePort();
        Child child = Child.start(name, log(name + ".log"), Map.of("AWS_REGION", "us-east-1", "AWS_ACCESS_KEY_ID", "windrow",
                "AWS_SECRET_ACCESS_KEY", "windrow"), port, module.equals(WRITER) ? CONSUMER_JVM : JVM,
                List.of("-Dquarkus.http.port=" + port, "-Dquarkus.management.port=" + management),
                properties, List.of("-jar", root.resolve(module).resolve("target/quarkus-app/quarkus-run.jar").toString()));
        URI ready = URI.create("http://127.0.0.1:" + management + "/q/health/ready");
        until(name + " is ready, see " + child.log(), START_LIMIT, () -> Http.isOk(ready) || !child.process().isAlive());
        return child;
    }

    /** Writes a datasets file and returns the property that names it. */
    String datasets(String yaml) {
        try {
            Files.createDirectories(work);
            Path file = Files.createTempFile(work, "datasets", ".yaml");
            Files.writeString(file, "windrow:\n  datasets:\n" + yaml);
            return "-Dwindrow.datasets-file=" + file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path log(String name) {
        return work.resolve(name.replaceAll("[^A-Za-z0-9.-]", "-"));
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @throws IllegalStateException if the condition does not hold within the limit */
    static void until(String what, Duration limit, BooleanSupplier so) {
        for (long start = System.nanoTime(); !so.getAsBoolean(); pause(LOOK_EVERY)) {
            if (System.nanoTime() - start > limit.toNanos()) {
                throw new IllegalStateException(what + ": not within " + limit.toSeconds() + " s");
            }
        }
    }

    static void pause(Duration pause) {
        long end = System.nanoTime() + pause.toNanos();
        for (long left = pause.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

}
