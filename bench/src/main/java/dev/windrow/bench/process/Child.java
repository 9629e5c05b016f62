package dev.windrow.bench.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A process under measurement. It is driven by lines on its standard input and answers with lines on its standard output;
 * standard error goes to a log. A baseline ends when its input ends; all children are ended when the harness ends.
 */
public final class Child implements AutoCloseable {

    private static final Duration START_LIMIT = Duration.ofMinutes(3);
    private static final int REQUEST_MILLIS = 5_000;
    private static final int STOP_SECONDS = 20;

    private final String name;
    private final Process process;
    private final Path log;
    private final Writer input;
    private final BufferedReader output;

    private Child(String name, Process process, Path log) {
        this.name = name;
        this.process = process;
        this.log = log;
        this.input = process.outputWriter(StandardCharsets.UTF_8);
        this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /**
     * Starts a process.
     *
     * @param name names it in messages
     * @param log gets its standard error, and its standard output too if it is a service
     * @param command the executable and its arguments
     * @param environment further environment variables
     * @param service whether standard output is a log rather than answers
     */
    public static Child start(String name, Path log, List<String> command, Map<String, String> environment,
            boolean service) {
        try {
            Files.createDirectories(log.toAbsolutePath().getParent());
            ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
            if (service) {
                builder.redirectErrorStream(true).redirectOutput(log.toFile());
            }
            builder.environment().putAll(environment);
            Process process = builder.start();
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroy, "end " + name));
            return new Child(name, process, log);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + name, e);
        }
    }

    /** The id of its process. */
    public long pid() {
        return process.pid();
    }

    /** Its name. */
    public String name() {
        return name;
    }

    /** Sends a line and waits for the answer, which is one line. */
    public String ask(String line) {
        try {
            input.write(line + "\n");
            input.flush();
            String answer = output.readLine();
            if (answer == null) {
                throw failed("ended instead of answering '" + line + "'");
            }
            return answer;
        } catch (IOException e) {
            throw failed("failed: " + e);
        }
    }

    /** Waits until an address answers with status 200. */
    public void awaitOk(URI address, Duration pause) {
        long start = System.nanoTime();
        while (!answersOk(address)) {
            if (!process.isAlive() || System.nanoTime() - start > START_LIMIT.toNanos()) {
                throw failed("did not answer at " + address + " within " + START_LIMIT.toSeconds() + " s, or ended");
            }
            LockSupport.parkNanos(pause.toNanos());
        }
    }

    /** Ends it at once, as a node's failure does. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    private static boolean answersOk(URI address) {
        try {
            HttpURLConnection connection = (HttpURLConnection) address.toURL().openConnection();
            connection.setReadTimeout(REQUEST_MILLIS);
            return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
        } catch (IOException e) {
            return false;
        }
    }

    private IllegalStateException failed(String what) {
        return new IllegalStateException(name + " " + what + "; see " + log);
    }

    @Override
    public void close() {
        try {
            input.close();
        } catch (IOException e) {
            // it has ended already
        }
        process.destroy();
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
