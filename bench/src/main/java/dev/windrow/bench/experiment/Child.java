package dev.windrow.bench.experiment;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A process under measurement. Unless it is a service, it reads commands as lines from standard input, answers with lines on
 * standard output, and ends when its input ends; all other output goes to a log. It ends when the harness ends.
 *
 * @param port port of a service, else 0
 */
record Child(String name, Process process, Path log, int port) implements AutoCloseable {

    private static final int STOP_SECONDS = 20;

    /**
     * Starts a process.
     *
     * @param environment additional environment variables
     * @param port port of a service, whose standard output is a log; 0 for a process that answers lines
     * @param command the command in parts
     */
    @SafeVarargs
    static Child start(String name, Path log, Map<String, String> environment, int port, List<String>... command) {
        try {
            Files.createDirectories(log.toAbsolutePath().getParent());
            ProcessBuilder builder = new ProcessBuilder().redirectError(log.toFile());
            for (List<String> part : command) {
                builder.command().addAll(part);
            }
            if (port != 0) {
                builder.redirectErrorStream(true).redirectOutput(log.toFile());
            }
            builder.environment().putAll(environment);
            Process process = builder.start();
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroy, "end " + name));
            return new Child(name, process, log, port);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + name, e);
        }
    }

    /** Returns an address of the service. */
    URI uri(String pathAndQuery) {
        return URI.create("http://127.0.0.1:" + port + pathAndQuery);
    }

    /** Sends a line and waits for the answer of one line. */
    String ask(String line) {
        try {
            Writer input = process.outputWriter(UTF_8);
            input.write(line + "\n");
            input.flush();
            String answer = process.inputReader(UTF_8).readLine();
            if (answer != null) {
                return answer;
            }
            throw new IOException("it ended");
        } catch (IOException e) {
            throw new UncheckedIOException(name + " did not answer '" + line + "'; see " + log, e);
        }
    }

    /** Kills the process, like the failure of a node. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Terminates the process like an orchestrator, and kills it if that takes too long. */
    @Override
    public void close() {
        process.destroy();
        process.onExit().completeOnTimeout(process, STOP_SECONDS, TimeUnit.SECONDS).join().destroyForcibly();
    }

}
