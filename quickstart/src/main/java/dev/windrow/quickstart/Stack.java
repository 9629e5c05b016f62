package dev.windrow.quickstart;

import java.io.IOException;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.NoSuchElementException;

import dev.windrow.dataset.DatasetsYaml;

/** Embedded AWS servers, a writer and a gatherer, each a process, wired to each other on loopback. */
final class Stack implements AutoCloseable {

    /** A port that the system chooses. */
    private static final int ANY = 0;
    // Development on a small machine: start fast, stay small.
    private static final List<String> JVM = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx384m");

    // Logs are old, and so are events that people try: no range is closed, so nothing is answered from a cache.
    private static final List<String> UNCACHED = List.of("-Dwindrow.gather.fanout.closed-after=P36500D",
            "-Dquarkus.cache.enabled=false");

    // Rejected events are listed there, and nobody else reaches the port.
    private static final String OPERATIONS = "-Dwindrow.writer.management.enabled=true";

    private final Path root;
    private final Path logs;
    private final Path datasets;
    private final Ports ports;
    private final Deque<ChildProcess> children = new ArrayDeque<>();

    private Stack(Path root, Path logs, Path datasets, Ports ports) {
        this.root = root;
        this.logs = logs;
        this.datasets = datasets;
        this.ports = ports;
    }

    /**
     * Starts everything and waits until it is ready.
     *
     * @param root the project's folder, with all modules packaged
     * @param logs where the processes' output goes
     * @param writerOptions further JVM options of the writer, such as another schedule for coarse buckets
     * @throws IllegalStateException with the end of the log of what did not start; nothing keeps running then
     */
    static Stack start(Path root, Path logs, Path datasets, Ports ports, String... writerOptions) throws InterruptedException {
        ports.requireFree();
        Stack stack = new Stack(root, logs, datasets, ports);
        try {
            stack.startAll(writerOptions);
            return stack;
        } catch (RuntimeException | InterruptedException e) {
            stack.close();
            throw e;
        }
    }

    /** All at once: both services wait for their table and queues, and by then have done the work of their own start. */
    private void startAll(String... writerOptions) throws InterruptedException {
        ChildProcess localAws = child("local-aws", localAwsJar(), JVM, "dev.windrow.local.LocalAwsMain",
                List.of("--dynamodb-port=" + ports.dynamoDb(), "--sqs-port=" + ports.sqs()));
        List<String> own = new ArrayList<>(List.of(OPERATIONS, "-Dquarkus.sqs.endpoint-override=" + sqs()));
        // Listings of coarse buckets, too, are compared with what was sent right after it was written.
        DatasetsYaml.read(datasets).all().stream().flatMap(dataset -> dataset.granularities().stream()).distinct()
                .forEach(granularity -> own.add("-Dwindrow.writer.journal.write-every." + granularity.name() + "=1S"));
        // The last value of a property counts.
        own.addAll(List.of(writerOptions));
        // Nothing asks the writer but for health and metrics.
        ChildProcess writer = service("writer-service", ANY, ports.writer(), own);
        int gatherManagement = Ports.anyFree();
        ChildProcess gather = service("gather-service", ports.gather(), gatherManagement, UNCACHED);
        localAws.awaitLog("Ctrl-C stops both.");
        writer.awaitOk(address(ports.writer(), "/q/health/ready"));
        gather.awaitOk(address(gatherManagement, "/q/health/ready"));
    }

    private Path localAwsJar() {
        Path folder = root.resolve("local-aws/target");
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(folder, "windrow-local-aws-*.jar")) {
            return jars.iterator().next();
        } catch (IOException | NoSuchElementException e) {
            throw new IllegalStateException("no packaged local-aws in " + folder, e);
        }
    }

    private ChildProcess service(String module, int port, int management, List<String> own) {
        List<String> options = new ArrayList<>(JVM);
        options.addAll(List.of("-Dquarkus.http.host=127.0.0.1", "-Dquarkus.http.port=" + port,
                "-Dquarkus.management.host=127.0.0.1", "-Dquarkus.management.port=" + management,
                "-Dwindrow.datasets-file=" + datasets, "-Dquarkus.dynamodb.endpoint-override=" + address(ports.dynamoDb(), ""),
                "-Daws.region=us-east-1", "-Daws.accessKeyId=windrow", "-Daws.secretAccessKey=windrow"));
        options.addAll(own);
        Path jar = root.resolve(module).resolve("target/quarkus-app/quarkus-run.jar");
        return child(module, jar, options, "io.quarkus.bootstrap.runner.QuarkusEntryPoint", List.of());
    }

    private ChildProcess child(String name, Path jar, List<String> options, String mainClass, List<String> arguments) {
        ChildProcess child = ChildProcess.start(name, logs.resolve(name + ".log"), jar.toString(), options, mainClass,
                arguments);
        children.push(child);
        return child;
    }

    URI sqs() {
        return address(ports.sqs(), "");
    }

    ServiceClient gather() {
        return new ServiceClient(address(ports.gather(), ""));
    }

    /** The writer's management port. */
    ServiceClient writer() {
        return new ServiceClient(address(ports.writer(), ""));
    }

    private static URI address(int port, String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    /** Ends all processes, the last started first. */
    @Override
    public void close() {
        while (!children.isEmpty()) {
            children.pop().close();
        }
    }
}
