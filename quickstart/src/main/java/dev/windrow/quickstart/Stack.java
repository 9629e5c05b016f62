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

/** Embedded AWS servers, a writer and a gatherer as separate processes, connected on loopback. */
final class Stack implements AutoCloseable {

    /** Lets the system choose a port. */
    private static final int ANY = 0;
    // For a small development machine: starts fast and stays small.
    private static final List<String> JVM = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx384m");

    // Replayed logs and events may be old: no range counts as closed, so nothing is answered from a cache.
    private static final List<String> UNCACHED = List.of("-Dwindrow.gather.fanout.closed-after=P36500D",
            "-Dquarkus.cache.enabled=false");

    // Lists rejected events. The port is reachable only from this machine.
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
     * @param logs folder for the processes' output
     * @param writerOptions further JVM options of the writer, such as another schedule for coarse buckets
     * @throws IllegalStateException with the end of the log of the process that did not start; then all are stopped
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

    /** Starts all at once: the services wait for table and queues, and meanwhile complete their own startup. */
    private void startAll(String... writerOptions) throws InterruptedException {
        ChildProcess localAws = child("local-aws", localAwsJar(), JVM, "dev.windrow.local.LocalAwsMain",
                List.of("--dynamodb-port=" + ports.dynamoDb(), "--sqs-port=" + ports.sqs()));
        List<String> own = new ArrayList<>(List.of(OPERATIONS, "-Dquarkus.sqs.endpoint-override=" + sqs()));
        // Coarse buckets, too, are compared with the sent events right away, so they are written every second.
        DatasetsYaml.read(datasets).all().stream().flatMap(dataset -> dataset.granularities().stream()).distinct()
                .forEach(granularity -> own.add("-Dwindrow.writer.journal.write-every." + granularity.name() + "=1S"));
        // The last value of a property wins.
        own.addAll(List.of(writerOptions));
        // The writer's own HTTP port is not used, only its management port.
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
