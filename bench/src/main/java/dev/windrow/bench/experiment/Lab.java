package dev.windrow.bench.experiment;

import java.net.URI;
import java.nio.file.Path;
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
    private static final String LOOPBACK = "http://127.0.0.1:";
    private static final List<String> JVM = List.of("-Xmx512m");
    /** With the garbage collector of the writer's image. */
    private static final List<String> CONSUMER_JVM = List.of("-Xmx512m", "-XX:+UseParallelGC", "-XX:NewRatio=1");

    /** Rounds of each measurement, after the warm-up. */
    int rounds() {
        return quick ? 3 : 5;
    }

    /** The full amount, or a fifth of it if a few minutes must do. */
    int amount(int full) {
        return quick ? Math.max(1, full / 5) : full;
    }

    /** Tells how far the run is. */
    void tell(String format, Object... values) {
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
        return Child.start(name, log(name), command, Map.of(), false);
    }

    /** A service as it is packaged, not yet ready. */
    Child service(String name, Service service, int port, List<String> properties) {
        List<String> command = new ArrayList<>(service.command(root, JAVA, service.isWriter() ? CONSUMER_JVM : JVM));
        command.addAll(1, withPort(properties, port));
        return Child.start(name, log(name), command, Map.of("AWS_REGION", "us-east-1", "AWS_ACCESS_KEY_ID", "windrow",
                "AWS_SECRET_ACCESS_KEY", "windrow"), true);
    }

    private static List<String> withPort(List<String> properties, int port) {
        List<String> all = new ArrayList<>(properties);
        all.add("-Dquarkus.http.port=" + port);
        all.add("-Dquarkus.management.port=0");
        return all;
    }

    Path log(String name) {
        return work.resolve(name.replaceAll("[^A-Za-z0-9.-]", "-") + ".log");
    }

    static URI ready(int port) {
        return URI.create(LOOPBACK + port + "/q/health/ready");
    }

    static URI gather(int port, String query) {
        return URI.create(LOOPBACK + port + "/api/v1/datasets/" + query);
    }
}
