package dev.windrow.quickstart;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** A child JVM that ends with this one, with its output in a log file. */
public final class ChildProcess implements AutoCloseable {

    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(100);
    private static final int REASONS_SHOWN = 8;
    /** Neither frames of stack traces nor what is in order. */
    private static final Predicate<String> TELLING = line -> !line.isBlank() && !Character.isWhitespace(line.charAt(0))
            && !line.contains(" INFO ");
    /** The exit code of a process that SIGKILL ended. */
    private static final int KILLED = 137;
    private static final HttpClient HTTP = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(2)).build();

    private final String name;
    private final Process process;
    private final Path log;

    private ChildProcess(String name, Process process, Path log) {
        this.name = name;
        this.process = process;
        this.log = log;
    }

    /**
     * Starts a main class.
     *
     * @param classPath where the main class is found
     */
    public static ChildProcess start(String name, Path log, List<Path> classPath, List<String> jvmOptions, String mainClass,
            List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions);
        command.add("-cp");
        List<Path> paths = new ArrayList<>(classPath);
        paths.add(0, ownClasses());
        command.add(String.join(System.getProperty("path.separator"), paths.stream().map(Path::toString).toList()));
        command.add(ParentWatchdog.class.getName());
        command.add(mainClass);
        command.addAll(arguments);
        try {
            Files.createDirectories(log.toAbsolutePath().getParent());
            Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
            return new ChildProcess(name, process, log);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + name, e);
        }
    }

    public long pid() {
        return process.pid();
    }

    /**
     * Waits until an address answers with status 200.
     *
     * @throws IllegalStateException with the reason from its log, and what to do, if it ends before that, or takes over a
     *         minute
     */
    public void awaitOk(URI address) {
        await("answer at " + address, () -> isOk(address));
    }

    /**
     * Waits until its log has a line with that text.
     *
     * @throws IllegalStateException with the reason from its log, and what to do, if it ends before that, or takes over a
     *         minute
     */
    public void awaitLog(String text) {
        await("say '" + text + "'", () -> logLines().stream().anyMatch(line -> line.contains(text)));
    }

    private void await(String what, BooleanSupplier done) {
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        while (!done.getAsBoolean()) {
            if (!process.isAlive()) {
                int code = process.exitValue();
                throw failed("ended with exit code " + code + " before it could " + what,
                        code == KILLED ? "The system killed it, probably for its memory: close other programs, and try again."
                                : "Correct what the log names, and try again.");
            }
            if (System.nanoTime() - deadline > 0) {
                throw failed("did not " + what + " within " + START_LIMIT.toSeconds() + " s",
                        "If the machine is busy with other work, try again when that is done; otherwise see its log for the cause.");
            }
            pause();
        }
    }

    /** What happened, why according to the log, and what to do about it. */
    private IllegalStateException failed(String what, String advice) {
        List<String> lines = logLines();
        List<String> errors = lines.stream().filter(TELLING).toList();
        List<String> reasons = end(errors.isEmpty() ? lines : errors, REASONS_SHOWN);
        String text = String.join("\n", lines);
        String todo = text.contains("OutOfMemoryError") || text.contains("insufficient memory")
                ? "There is too little memory: the quick start needs some 2 GB. Close other programs, and try again."
                : text.contains("BindException") || text.contains("Address already in use")
                        ? "A port is in use: stop what listens there, or choose others with -Dport=N, -DwriterPort=N, "
                                + "-DdynamoDbPort=N and -DsqsPort=N."
                        : advice;
        return new IllegalStateException(name + " " + what + "."
                + (reasons.isEmpty() ? " Its log has no error." : "\nIts log says\n  " + String.join("\n  ", reasons)) + "\n"
                + todo
                + " The whole log: " + log);
    }

    private static List<String> end(List<String> lines, int limit) {
        return lines.subList(Math.max(0, lines.size() - limit), lines.size());
    }

    private static boolean isOk(URI address) {
        HttpRequest request = HttpRequest.newBuilder(address).timeout(Duration.ofSeconds(5)).build();
        try {
            return HTTP.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private List<String> logLines() {
        try {
            return Files.readAllLines(log);
        } catch (IOException e) {
            return List.of("(no log: " + e + ")");
        }
    }

    private void pause() {
        try {
            process.waitFor(POLL.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + name, e);
        }
    }

    /** Terminates it, and kills it if it has not exited within half a minute. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private static Path ownClasses() {
        try {
            return Path.of(ParentWatchdog.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (java.net.URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
