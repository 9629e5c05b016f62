package dev.windrow.writer.process;

import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import dev.windrow.testing.ParentWatchdog;
import dev.windrow.testing.Patience;
import dev.windrow.writer.testing.WriterProgram;

/**
 * The packaged writer in a process of its own: a native executable where the build is native, else a JVM, which ends with
 * the test however the test ends.
 */
final class WriterProcess implements AutoCloseable {

    /** The exit code after SIGTERM: 128 and the number of the signal. */
    static final int TERMINATED = 143;

    private static final Path FOLDER = Path.of("target", "process-tests");
    private static final Duration START_LIMIT = Duration.ofMinutes(3);
    private static final Pattern LISTENING = Pattern.compile("Management interface listening on (http://[^\\s/]+:\\d+)");
    private static final Pattern FULL_COLLECTION = Pattern.compile("Pause Full .*->(\\d+)M\\(");
    private static final AtomicInteger STARTED = new AtomicInteger();
    private static final HttpClient HTTP = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final Process process;
    private final Path log;
    private @Nullable Pause pause;

    private WriterProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /** Starts a process, and does not wait for it. */
    static WriterProcess start(WriterOptions options) {
        Path log = FOLDER.resolve(options.name() + "-" + STARTED.incrementAndGet() + ".log");
        WriterProgram program = WriterProgram.built();
        List<String> command = program.isNative()
                ? program.command(List.of(), options.properties(), List.of("-Xmx" + options.heapMegabytes() + "m"))
                : tethered(options);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().putAll(options.environment());
        try {
            return new WriterProcess(builder.start(), log);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + options.name(), e);
        }
    }

    /** On a JVM, whose main class is the tether. */
    private static List<String> tethered(WriterOptions options) {
        List<String> command = new ArrayList<>();
        command.add(WriterProgram.java());
        // Start fast and stay small: a test may start dozens.
        command.addAll(List.of("-XX:+UseParallelGC", "-XX:NewRatio=1", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-Xms64m",
                "-Xmx" + options.heapMegabytes() + "m", "-XX:+ExitOnOutOfMemoryError", "-Xlog:gc"));
        options.properties().forEach((property, value) -> command.add("-D" + property + "=" + value));
        command.addAll(List.of("-cp", watchdogClasses() + System.getProperty("path.separator") + WriterProgram.jar(),
                ParentWatchdog.class.getName(), "io.quarkus.bootstrap.runner.QuarkusEntryPoint"));
        return command;
    }

    WriterProcess awaitReady() {
        await("readiness, see " + log).atMost(START_LIMIT).until(() -> {
            if (!process.isAlive()) {
                throw new IllegalStateException("ended with " + process.exitValue() + ", see " + log);
            }
            return isReady();
        });
        return this;
    }

    boolean isReady() {
        return management().map(base -> get(base.resolve("/q/health/ready"))).filter(answer -> answer.statusCode() == 200)
                .isPresent();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** SIGKILL: it gets no chance to do anything. Returns at once, from any thread. */
    void kill() {
        process.destroyForcibly();
    }

    /** SIGTERM: it may end in order. */
    void terminate() {
        // Process.destroy() would close its input, too, and so cut the tether.
        process.toHandle().destroy();
    }

    int awaitExit(Duration limit) {
        try {
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("still alive after " + limit + ", see " + log);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
        return process.exitValue();
    }

    /** SIGSTOP: from now on it does nothing, and does not know. */
    void pause() {
        pause = Pause.of(process);
    }

    /** SIGCONT: it goes on as if no time had passed. */
    void resume() {
        Objects.requireNonNull(pause, "expected a paused process").close();
        pause = null;
    }

    /**
     * The sum of all series of a metric that carry a tag.
     *
     * @param name in Prometheus' spelling
     * @param tag such as {@code reason="throttled"}; empty for all series
     * @return 0 if there is none
     */
    double metric(String name, String tag) {
        URI base = management().orElseThrow(() -> new IllegalStateException("not started yet, see " + log));
        Pattern series = Pattern.compile(Pattern.quote(name) + "(\\{.*\\})? (\\S+)");
        return get(base.resolve("/q/metrics")).body().lines().map(series::matcher)
                .filter(line -> line.matches() && String.valueOf(line.group(1)).contains(tag))
                .mapToDouble(line -> Double.parseDouble(line.group(2).replace("Inf", "Infinity"))).sum();
    }

    double duplicates() {
        return metric("windrow_writer_duplicates_dropped_total", "");
    }

    /** The most that was left on the heap by a full collection; 0 if there was none, as the heap was never full. */
    double liveHeapMegabytes() {
        return FULL_COLLECTION.matcher(log()).results().mapToDouble(left -> Double.parseDouble(left.group(1))).max().orElse(0);
    }

    String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        if (pause != null) {
            resume();
        }
        kill();
        awaitExit(Patience.LIMIT);
    }

    @Override
    public String toString() {
        return "process " + process.pid() + ", " + log;
    }

    private Optional<URI> management() {
        Matcher matcher = LISTENING.matcher(log());
        return matcher.find() ? Optional.of(URI.create(matcher.group(1))) : Optional.empty();
    }

    private static HttpResponse<String> get(URI address) {
        try {
            return HTTP.send(HttpRequest.newBuilder(address).timeout(Patience.LIMIT).build(),
                    HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException("no answer from " + address, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** A folder with nothing but the watchdog: the tests' other classes and settings must not reach the process. */
    private static Path watchdogClasses() {
        Path root = FOLDER.resolve("watchdog");
        Path file = root.resolve(ParentWatchdog.class.getName().replace('.', '/') + ".class");
        try (InputStream bytes = Objects.requireNonNull(ParentWatchdog.class.getResourceAsStream("ParentWatchdog.class"))) {
            if (!Files.exists(file)) {
                Files.createDirectories(file.getParent());
                Files.copy(bytes, file);
            }
            return root;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * A process that is stopped until this is closed. A small shell does it, and continues the process when its own input
     * ends: so no stopped process is left behind, not even by a test that was killed.
     */
    private static final class Pause implements AutoCloseable {

        private static final String SCRIPT = "kill -STOP $0 && echo stopped && cat >/dev/null; kill -CONT $0";

        private final Process shell;

        private Pause(Process shell) {
            this.shell = shell;
        }

        static Pause of(Process process) {
            try {
                Process shell = new ProcessBuilder("sh", "-c", SCRIPT, Long.toString(process.pid()))
                        .redirectError(ProcessBuilder.Redirect.INHERIT).start();
                String answer = new BufferedReader(new InputStreamReader(shell.getInputStream(), StandardCharsets.UTF_8))
                        .readLine();
                if (!"stopped".equals(answer)) {
                    throw new IllegalStateException("could not stop process " + process.pid());
                }
                return new Pause(shell);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Returns when the process runs again. */
        @Override
        public void close() {
            try {
                shell.getOutputStream().close();
                shell.waitFor();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
        }
    }
}
