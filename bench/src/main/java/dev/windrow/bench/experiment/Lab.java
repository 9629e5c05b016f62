package dev.windrow.bench.experiment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

import dev.windrow.bench.process.Child;
import io.vertx.core.Vertx;

/**
 * What experiments share: where things are, how thorough to be, and how to start what is measured.
 *
 * @param root the project's folder
 * @param work a folder for logs and generated files
 * @param quick whether a few minutes must do
 * @param seed of everything drawn at random
 * @param vertx runs the servers
 */
public record Lab(Path root, Path work, boolean quick, long seed, Vertx vertx) {

    private static final String JAVA = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private static final Duration LOOK_EVERY = Duration.ofMillis(10);
    private static final List<String> JVM = List.of("-Xmx512m");
    /** With the garbage collector of the writer's image. */
    private static final List<String> CONSUMER_JVM = List.of("-Xmx512m", "-XX:+UseParallelGC", "-XX:NewRatio=1");

    /** Rounds of each measurement, after the warm-up. */
    int rounds() {
        return quick ? 3 : 5;
    }

    /** The full amount, or a tenth of it if a few minutes must do. */
    int amount(int full) {
        return quick ? Math.max(1, full / 10) : full;
    }

    /** Reports how far the run is. */
    void progress(String format, Object... values) {
        System.out.println("  " + String.format(Locale.ROOT, format, values));
    }

    /** Random numbers for one purpose: the same with the same seed. */
    RandomGenerator random(String purpose) {
        return RandomGeneratorFactory.of("Xoshiro256PlusPlus").create(seed ^ purpose.hashCode());
    }

    /** A gatherer's baseline: a main class of this module that answers lines. */
    Child baseline(String name, String mainClass, List<String> arguments) {
        return baseline(name, mainClass, JVM, arguments);
    }

    /** The writer's baseline: a main class of this module that answers lines. */
    Child consumer(String name, String mainClass, List<String> arguments) {
        return baseline(name, mainClass, CONSUMER_JVM, arguments);
    }

    private Child baseline(String name, String mainClass, List<String> jvm, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(JAVA));
        command.addAll(jvm);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "dev.windrow.bench.baseline." + mainClass));
        command.addAll(arguments);
        return Child.start(name, log(name + ".log"), command, Map.of(), false);
    }

    /** A packaged service, once it is ready. */
    Child service(String name, Service service, int port, List<String> properties) {
        List<String> command = new ArrayList<>(service.command(root, JAVA, service.isWriter() ? CONSUMER_JVM : JVM));
        command.addAll(1, properties);
        command.addAll(1, List.of("-Dquarkus.http.port=" + port, "-Dquarkus.management.port=0"));
        Child child = Child.start(name, log(name + ".log"), command, Map.of("AWS_REGION", "us-east-1", "AWS_ACCESS_KEY_ID",
                "windrow", "AWS_SECRET_ACCESS_KEY", "windrow"), true);
        child.awaitOk(URI.create("http://127.0.0.1:" + port + "/q/health/ready"), LOOK_EVERY);
        return child;
    }

    Path log(String name) {
        return work.resolve(name.replaceAll("[^A-Za-z0-9.-]", "-"));
    }

    static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
