package dev.windrow.gather.page;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.windrow.testing.Patience;

/**
 * A locally installed headless Chromium, controlled over its DevTools protocol: commands with ids over a WebSocket, their
 * results, and events of sessions. Nothing is downloaded.
 */
public final class Chromium implements AutoCloseable {

    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome", "chrome");
    private static final Pattern ADDRESS = Pattern.compile("DevTools listening on (ws://\\S+)");
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path profile = Files.createTempDirectory("chromium");
    private final AtomicInteger ids = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> waiting = new ConcurrentHashMap<>();
    private final Map<String, Consumer<JsonNode>> sessions = new ConcurrentHashMap<>();
    private final Process process;
    private final WebSocket socket;
    private CompletableFuture<?> sent = CompletableFuture.completedFuture(null);

    private Chromium(Path program) throws IOException {
        // A sandbox needs rights that containers lack, and only this project's own page is opened.
        process = new ProcessBuilder(program.toString(), "--headless=new", "--no-sandbox", "--hide-scrollbars", "--disable-gpu",
                "--disable-dev-shm-usage", "--no-first-run", "--no-default-browser-check", "--disable-extensions",
                "--disable-background-networking", "--disable-component-update", "--disable-sync", "--remote-debugging-port=0",
                "--user-data-dir=" + profile, "about:blank").redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        process.getOutputStream().close();
        BufferedReader errors = process.errorReader(StandardCharsets.UTF_8);
        URI address = errors.lines().map(ADDRESS::matcher).filter(Matcher::find).map(found -> URI.create(found.group(1)))
                .findFirst().orElseThrow(() -> new IOException("Chromium ended before it listened"));
        Thread drain = new Thread(() -> errors.lines().forEach(line -> {
        }), "chromium-errors");
        drain.setDaemon(true);
        drain.start();
        socket = HttpClient.newHttpClient().newWebSocketBuilder().buildAsync(address, new Messages())
                .orTimeout(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS).join();
    }

    /**
     * Starts the browser named by the system property {@code windrow.chromium}, or one with a usual name on the PATH. If there
     * is none, the test is skipped.
     */
    public static Chromium start() {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        Stream<Path> onPath = Stream.of(path.split(File.pathSeparator))
                .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)));
        Optional<Path> installed = Stream
                .concat(Stream.ofNullable(System.getProperty("windrow.chromium")).map(Path::of), onPath)
                .filter(Files::isExecutable).findFirst();
        assumeTrue(installed.isPresent(), "no Chromium on the PATH: install Debian's package chromium, or name one with "
                + "-Dwindrow.chromium=FILE");
        try {
            return new Chromium(installed.get());
        } catch (IOException e) {
            throw new UncheckedIOException("Chromium did not start", e);
        }
    }

    /** Opens a tab with empty storage. */
    public Tab tab() {
        return new Tab(this);
    }

    void listen(String session, Consumer<JsonNode> events) {
        sessions.put(session, events);
    }

    /**
     * Sends a command and returns its result.
     *
     * @param session empty for the browser itself
     */
    JsonNode call(String session, String method, Map<String, ?> parameters) {
        int id = ids.incrementAndGet();
        CompletableFuture<JsonNode> result = new CompletableFuture<>();
        waiting.put(id, result);
        ObjectNode command = JSON.createObjectNode().put("id", id).put("method", method);
        command.set("params", JSON.valueToTree(parameters));
        if (!session.isEmpty()) {
            command.put("sessionId", session);
        }
        send(command.toString());
        JsonNode answer = result.orTimeout(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS).join();
        if (answer.has("error")) {
            throw new AssertionError(method + ": " + answer.get("error"));
        }
        return answer.path("result");
    }

    private synchronized void send(String text) {
        sent = sent.thenCompose(before -> socket.sendText(text, true));
    }

    private final class Messages implements WebSocket.Listener {

        private final StringBuilder partial = new StringBuilder();

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            partial.append(data);
            if (last) {
                received(partial.toString());
                partial.setLength(0);
            }
            from.request(1);
            return null;
        }

        private void received(String text) {
            try {
                JsonNode message = JSON.readTree(text);
                if (message.has("id")) {
                    Optional.ofNullable(waiting.remove(message.get("id").intValue()))
                            .ifPresent(result -> result.complete(message));
                } else {
                    Optional.ofNullable(sessions.get(message.path("sessionId").asText()))
                            .ifPresent(events -> events.accept(message));
                }
            } catch (JsonProcessingException e) {
                waiting.values().forEach(result -> result.completeExceptionally(e));
            }
        }
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
            // The rest stays in the folder for temporary files.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
