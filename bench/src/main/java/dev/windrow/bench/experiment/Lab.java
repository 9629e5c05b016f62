package dev.windrow.bench.experiment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

import io.vertx.core.Vertx;

/**
 * What experiments share: where things are, how thorough to be, and how to start what is measured.
 *
 * @param root the project's folder, with all modules packaged
 * @param work a folder for logs and generated files
 * @param quick whether a few minutes must do
 * @param seed of everything drawn at random
 * @param vertx runs the servers
 */
public record Lab(Path root, Path work, boolean quick, long seed, Vertx vertx) {

    static final String WRITER = "writer-service";
    static final String GATHERER = "gather-service";

    private static final String JAVA = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private static final Duration START_LIMIT = Duration.ofMinutes(3);
    /** With the garbage collector that the JVM chooses in a container of the chart's default size. */
    private static final List<String> JVM = List.of(JAVA, "-Xmx512m", "-XX:+UseSerialGC");
    /** With the garbage collector of the writer's image. */
    private static final List<String> CONSUMER_JVM = List.of(JAVA, "-Xmx512m", "-XX:+UseParallelGC", "-XX:NewRatio=1");

    /** Rounds of each measurement, after the warm-up. */
    int rounds() {
        return quick ? 3 : 5;
    }

    /** The full amount, or a tenth of it if a few minutes must do. */
    int amount(int full) {
        return quick ? Math.max(1, full / 10) : full;
    }

    /** So many seconds, or a tenth of it if a few minutes must do. */
    Duration seconds(int full) {
        return Duration.ofSeconds(amount(full));
    }

    /** Reports how far the run is. */
    void progress(String format, Object... values) {
        System.out.println("  " + String.format(Locale.ROOT, format, values));
    }

    /** Random numbers for one purpose: the same with the same seed. */
    RandomGenerator random(String purpose) {
        return RandomGeneratorFactory.of("Xoshiro256PlusPlus").create(seed ^ purpose.hashCode());
    }

    /** Answers after 4 to 10 ms, as a table does. */
    Supplier<Duration> tableLatency() {
        RandomGenerator random = random("latency");
        return () -> Duration.ofMillis(random.nextInt(4, 11));
    }

    /** A baseline: a main class of this module that answers lines, a consumer with the JVM's options of the writer. */
    Child baseline(String name, String mainClass, List<String> arguments) {
        return Child.start(name, log(name + ".log"), Map.of(), 0, mainClass.equals("Consumer") ? CONSUMER_JVM : JVM,
                List.of("-cp", System.getProperty("java.class.path"), "dev.windrow.bench.baseline." + mainClass), arguments);
    }

    /** A packaged service, once it is ready; options of its JVM may be among the properties. */
    Child service(String name, String module, List<String> properties) {
        int port = freePort();
        int management = freePort();
        Child child = Child.start(name, log(name + ".log"), Map.of("AWS_REGION", "us-east-1", "AWS_ACCESS_KEY_ID", "windrow",
                "AWS_SECRET_ACCESS_KEY", "windrow"), port, module.equals(WRITER) ? CONSUMER_JVM : JVM,
                List.of("-Dquarkus.http.port=" + port, "-Dquarkus.management.port=" + management),
                properties, List.of("-jar", root.resolve(module).resolve("target/quarkus-app/quarkus-run.jar").toString()));
        URI ready = URI.create("http://127.0.0.1:" + management + "/q/health/ready");
        Wait.until(name + " is ready, see " + child.log(), START_LIMIT,
                () -> Http.isOk(ready) || !child.process().isAlive());
        return child;
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
}
