package dev.windrow.gather.page;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.windrow.testing.Patience;

/** A headless Chromium of this machine, spoken to by its DevTools protocol. Nothing is downloaded. */
public final class Chromium implements AutoCloseable {

    /** Why tests are skipped where it is not installed. */
    public static final String MISSING = "no Chromium on the PATH: install Debian's package chromium, or name one with "
            + "-Dwindrow.chromium=FILE";

    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome", "chrome");
    private static final Pattern ADDRESS = Pattern.compile("DevTools listening on (ws://\\S+)");

    private final Process process;
    private final Path profile;
    private final DevTools devTools;

    private Chromium(Process process, Path profile, DevTools devTools) {
        this.process = process;
        this.profile = profile;
        this.devTools = devTools;
    }

    /** Where it is installed, if it is: the system property {@code windrow.chromium}, or a usual name on the PATH. */
    public static Optional<Path> installed() {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        Stream<Path> onPath = Stream.of(path.split(File.pathSeparator))
                .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)));
        return Stream.concat(Stream.ofNullable(System.getProperty("windrow.chromium")).map(Path::of), onPath)
                .filter(Files::isExecutable).findFirst();
    }

    public static Chromium start(Path program) {
        try {
            Path profile = Files.createTempDirectory("chromium");
            // A sandbox needs rights that containers do not give; only this project's own page is opened.
            Process process = new ProcessBuilder(program.toString(), "--headless=new", "--no-sandbox", "--hide-scrollbars",
                    "--disable-gpu",
                    "--disable-dev-shm-usage", "--no-first-run", "--no-default-browser-check", "--disable-extensions",
                    "--disable-background-networking", "--disable-component-update", "--disable-sync",
                    "--remote-debugging-port=0", "--user-data-dir=" + profile, "about:blank")
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
            process.getOutputStream().close();
            BufferedReader errors = process.errorReader(StandardCharsets.UTF_8);
            URI address = address(errors);
            Thread drain = new Thread(() -> errors.lines().forEach(line -> {
            }), "chromium-errors");
            drain.setDaemon(true);
            drain.start();
            DevTools devTools = new DevTools();
            WebSocket socket = HttpClient.newHttpClient().newWebSocketBuilder().buildAsync(address, devTools)
                    .orTimeout(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS).join();
            devTools.opened(socket);
            return new Chromium(process, profile, devTools);
        } catch (IOException e) {
            throw new UncheckedIOException("Chromium did not start", e);
        }
    }

    private static URI address(BufferedReader errors) throws IOException {
        String line = errors.readLine();
        while (line != null) {
            Matcher matcher = ADDRESS.matcher(line);
            if (matcher.find()) {
                return URI.create(matcher.group(1));
            }
            line = errors.readLine();
        }
        throw new IOException("Chromium ended before it listened");
    }

    /** A new tab with nothing stored. */
    public Tab tab() {
        return Tab.open(devTools);
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        try {
            process.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
            try (Stream<Path> files = Files.walk(profile)) {
                files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
            }
        } catch (IOException e) {
            // What is left is in the folder for temporary files.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
