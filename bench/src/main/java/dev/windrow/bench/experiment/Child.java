package dev.windrow.bench.experiment;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A process under measurement. Unless it is a service, it is driven by lines on its standard input and answers with lines on
 * its standard output, and ends when its input ends; everything else goes to a log. All end when the harness ends.
 */
final class Child implements AutoCloseable {

    private static final int STOP_SECONDS = 20;

    private final String name;
    private final Process process;
    private final Path log;
    private final boolean jvm;
    private final Writer input;
    private final BufferedReader output;

    private Child(String name, Process process, Path log, boolean jvm) {
        this.name = name;
        this.process = process;
        this.log = log;
        this.jvm = jvm;
        this.input = process.outputWriter(StandardCharsets.UTF_8);
        this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /**
     * Starts a process.
     *
     * @param environment further environment variables
     * @param service whether standard output is a log rather than answers
     */
    static Child start(String name, Path log, List<String> command, Map<String, String> environment, boolean service) {
        try {
            Files.createDirectories(log.toAbsolutePath().getParent());
            ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
            if (service) {
                builder.redirectErrorStream(true).redirectOutput(log.toFile());
            }
            builder.environment().putAll(environment);
            Process process = builder.start();
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroy, "end " + name));
            return new Child(name, process, log, command.get(0).endsWith("/java"));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + name, e);
        }
    }

    long pid() {
        return process.pid();
    }

    boolean isJvm() {
        return jvm;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    String name() {
        return name;
    }

    /** Sends a line and waits for the answer, which is one line. */
    String ask(String line) {
        try {
            input.write(line + "\n");
            input.flush();
            String answer = output.readLine();
            if (answer != null) {
                return answer;
            }
            throw new IOException("it ended");
        } catch (IOException e) {
            throw new UncheckedIOException(name + " did not answer '" + line + "'; see " + log, e);
        }
    }

    /** Ends it at once, as a node's failure does. */
    void kill() {
        process.destroyForcibly().onExit().join();
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
