package dev.windrow.chart;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;

/**
 * A container as a kubelet would start it, without a kubelet: a packaged program as a process that has the rendered
 * environment, files and arguments, and nothing else. Only what cannot be the same on one machine differs: it listens on
 * loopback, on free ports, and mounted files are in a folder of the test.
 */
final class RunningContainer implements AutoCloseable {

    private static final Pattern LISTENING = Pattern.compile(
            "Listening on: http://127\\.0\\.0\\.1:(\\d+)\\. Management interface listening on http://127\\.0\\.0\\.1:(\\d+)");

    private final String name;
    private final Process process;
    private final Path log;

    private RunningContainer(String name, Process process, Path log) {
        this.name = name;
        this.process = process;
        this.log = log;
    }

    /**
     * Starts it.
     *
     * @param objects the ConfigMaps and Secrets there are, by kind and name, with their data
     * @param workload whose container
     * @param command the packaged program
     * @param environment variables that replace rendered ones
     * @param folder for files and the log
     */
    static RunningContainer start(Map<String, JsonNode> objects, Manifest workload, List<String> command,
            Map<String, String> environment, Path folder) {
        Path root = folder.resolve(workload.name());
        mount(objects, workload, root);
        List<String> words = new ArrayList<>(command);
        workload.podSpec().at("/containers/0/args")
                .forEach(argument -> words.add(onLoopback(argument.asText()).replaceFirst("-port=\\d+$", "-port=0")));
        Path log = folder.resolve(workload.name() + ".log");
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment(objects, workload, root));
        builder.environment().putAll(environment);
        try {
            return new RunningContainer(workload.name(), builder.start(), log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, String> environment(Map<String, JsonNode> objects, Manifest workload, Path root) {
        Map<String, String> environment = new TreeMap<>();
        for (JsonNode variable : workload.podSpec().at("/containers/0/env")) {
            JsonNode secret = variable.at("/valueFrom/secretKeyRef");
            JsonNode value = objects.getOrDefault("Secret/" + secret.path("name").asText(), MissingNode.getInstance())
                    .path(secret.path("key").asText());
            if (value.isTextual()) {
                environment.put(variable.path("name").asText(), value.asText());
            }
        }
        workload.environment().forEach((variable, value) -> environment.put(variable,
                value.startsWith("/") ? root.resolve(value.substring(1)).toString() : onLoopback(value)));
        if (workload.kind().equals("Deployment")) {
            environment.put("QUARKUS_HTTP_PORT", "0");
            environment.put("QUARKUS_MANAGEMENT_PORT", "0");
        }
        return environment;
    }

    private static String onLoopback(String value) {
        return value.replace("0.0.0.0", "127.0.0.1");
    }

    /** Writes the files of ConfigMaps and Secrets to where they are mounted, below the test's folder. */
    private static void mount(Map<String, JsonNode> objects, Manifest workload, Path root) {
        Map<String, String> paths = new TreeMap<>();
        workload.podSpec().at("/containers/0/volumeMounts")
                .forEach(mount -> paths.put(mount.path("name").asText(), mount.path("mountPath").asText().substring(1)));
        for (JsonNode volume : workload.podSpec().path("volumes")) {
            Path target = root.resolve(paths.get(volume.path("name").asText()));
            mount(objects, "ConfigMap/" + volume.at("/configMap/name").asText(), volume.at("/configMap/items"), target);
            mount(objects, "Secret/" + volume.at("/secret/secretName").asText(), volume.at("/secret/items"), target);
        }
    }

    private static void mount(Map<String, JsonNode> objects, String object, JsonNode items, Path target) {
        JsonNode data = objects.getOrDefault(object, MissingNode.getInstance());
        items.forEach(item -> write(target.resolve(item.path("path").asText()), data.path(item.path("key").asText()).asText()));
    }

    private static void write(Path file, String text) {
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String name() {
        return name;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The port of the service, or 0 if it does not listen yet. */
    int port() {
        return listening(1);
    }

    /** The port of probes and metrics, or 0 if it does not listen yet. */
    int managementPort() {
        return listening(2);
    }

    private int listening(int group) {
        Matcher listening = LISTENING.matcher(log());
        return listening.find() ? Integer.parseInt(listening.group(group)) : 0;
    }

    /** Asks it to end, as a kubelet does, and waits for that. */
    int terminate(Duration grace) throws InterruptedException {
        process.destroy();
        return exitCode(grace);
    }

    int exitCode(Duration wait) throws InterruptedException {
        if (!process.waitFor(wait.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError(name + " did not end within " + wait + ":\n" + log());
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
