package dev.windrow.writer.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * A process that is stopped until this is closed. A small shell does it, and continues the process when its own input
 * ends: so no stopped process is left behind, not even by a test that was killed.
 */
final class Pause implements AutoCloseable {

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
