package dev.windrow.quickstart;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** A child JVM that ends with this one and writes its output to a log file. */
final class ChildProcess implements AutoCloseable {

    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(100);
    private static final int REASONS_SHOWN = 8;
    /** Matches log lines that may tell a cause: neither stack frames nor INFO lines. */
    private static final Predicate<String> TELLING = line -> !line.isBlank() && !Character.isWhitespace(line.charAt(0))
            && !line.contains(" INFO ");
    /** The exit code of a process that SIGKILL ended. */
    private static final int KILLED = 137;

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
     * @param classPath class path of the main class
     */
    static ChildProcess start(String name, Path log, String classPath, List<String> jvmOptions, String mainClass,
            List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions);
        command.addAll(
                List.of("-cp", ownClasses() + File.pathSeparator + classPath, ParentWatchdog.class.getName(), mainClass));
        command.addAll(arguments);
        try {
            Files.createDirectories(log.toAbsolutePath().getParent());
            Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
            return new ChildProcess(name, process, log);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + name, e);
        }
    }

    long pid() {
        return process.pid();
    }

    /**
     * Waits until an address answers with status 200.
     *
     * @throws IllegalStateException with the reason from the log and advice, if the process ends before that or it takes over
     *         a minute
     */
    void awaitOk(URI address) throws InterruptedException {
        await("answer at " + address, () -> isOk(address));
    }

    /**
     * Waits until its log has a line with this text.
     *
     * @throws IllegalStateException with the reason from the log and advice, if the process ends before that or it takes over
     *         a minute
     */
    void awaitLog(String text) throws InterruptedException {
        await("say '" + text + "'", () -> logLines().stream().anyMatch(line -> line.contains(text)));
    }

    private void await(String what, BooleanSupplier done) throws InterruptedException {
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
            process.waitFor(POLL.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** Creates an exception that says what happened, why according to the log, and what to do about it. */
    private IllegalStateException failed(String what, String advice) {
        List<String> lines = logLines();
        List<String> errors = lines.stream().filter(TELLING).toList();
        List<String> candidates = errors.isEmpty() ? lines : errors;
        List<String> reasons = candidates.subList(Math.max(0, candidates.size() - REASONS_SHOWN), candidates.size());
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

    private static boolean isOk(URI address) {
        try {
            HttpURLConnection connection = (HttpURLConnection) address.toURL().openConnection();
            connection.setConnectTimeout(2_000);
            connection.setReadTimeout(5_000);
            return connection.getResponseCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    private List<String> logLines() {
        try {
            return Files.readAllLines(log);
        } catch (IOException e) {
            return List.of("(no log: " + e + ")");
        }
    }

    /** Terminates the process, and kills it if it has not exited within half a minute. */
    @Override
    public void close() {
        process.destroy();
        process.onExit().completeOnTimeout(process, STOP_LIMIT.toSeconds(), TimeUnit.SECONDS).join().destroyForcibly();
    }

    private static Path ownClasses() {
        try {
            return Path.of(ParentWatchdog.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (java.net.URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Runs another main class for as long as standard input stays open. The parent process holds the other end of that pipe,
     * and the operating system closes it however the parent ends, so a child never outlives its parent, even if the parent
     * is killed.
     */
    public static final class ParentWatchdog {

        private ParentWatchdog() {
        }

        /** @param args the main class to run, then its own arguments */
        public static void main(String[] args) throws ReflectiveOperationException {
            Thread watch = new Thread(ParentWatchdog::exitAtEndOfInput, "parent watchdog");
            watch.setDaemon(true);
            watch.start();
            String[] rest = Arrays.copyOfRange(args, 1, args.length);
            try {
                Class.forName(args[0]).getMethod("main", String[].class).invoke(null, (Object) rest);
            } catch (InvocationTargetException e) {
                throw new IllegalStateException(args[0] + " failed", e.getCause());
            }
        }

        private static void exitAtEndOfInput() {
            try {
                // Ignores anything the parent writes.
                System.in.transferTo(OutputStream.nullOutputStream());
            } catch (IOException e) {
                // A broken pipe counts as the end of input.
            }
            System.exit(0);
        }
    }
}
