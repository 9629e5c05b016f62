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
import java.util.Map;
import java.util.NoSuchElementException;

import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.DatasetsYaml;

/** Embedded AWS servers, a writer and a gatherer, each a process, wired to each other on loopback. */
public final class Stack implements AutoCloseable {

    private static final String LOOPBACK = "127.0.0.1";
    /** A port that the system chooses. */
    private static final int ANY = 0;
    private static final String REGION = "us-east-1";
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
    private final List<String> writerOptions;
    private final Deque<ChildProcess> children = new ArrayDeque<>();

    private Stack(Path root, Path logs, Path datasets, Ports ports, List<String> writerOptions) {
        this.root = root;
        this.logs = logs;
        this.datasets = datasets;
        this.ports = ports;
        this.writerOptions = List.copyOf(writerOptions);
    }

    /**
     * Starts everything and waits until it is ready.
     *
     * @param root the project's folder, with all modules packaged
     * @param logs where the processes' output goes
     * @throws IllegalStateException with the end of the log of what did not start; nothing keeps running then
     */
    public static Stack start(Path root, Path logs, Path datasets, Ports ports) {
        return start(root, logs, datasets, ports, promptly(DatasetsYaml.read(datasets)));
    }

    /** Listings of coarse buckets, too, are compared with what was sent right after it was written. */
    private static List<String> promptly(Datasets datasets) {
        return datasets.all().stream().flatMap(dataset -> dataset.granularities().stream()).distinct()
                .map(granularity -> "-Dwindrow.writer.journal.write-every." + granularity.name() + "=1S").toList();
    }

    /**
     * The same with another schedule for coarse buckets, or any other setting of the writer.
     *
     * @param writerOptions JVM options of the writer
     */
    public static Stack start(Path root, Path logs, Path datasets, Ports ports, List<String> writerOptions) {
        ports.requireFree();
        Stack stack = new Stack(root, logs, datasets, ports, writerOptions);
        try {
            stack.startAll();
            return stack;
        } catch (RuntimeException e) {
            stack.close();
            throw e;
        }
    }

    /** All at once: both services wait for their table and queues, and by then have done the work of their own start. */
    private void startAll() {
        ChildProcess localAws = child("local-aws", List.of(localAwsJar()), JVM, "dev.windrow.local.LocalAwsMain",
                List.of("--dynamodb-port=" + ports.dynamoDb(), "--sqs-port=" + ports.sqs()));
        // Nothing asks the writer but for health and metrics.
        List<String> own = new ArrayList<>(writerOptions);
        own.add(OPERATIONS);
        ChildProcess writer = service("writer-service", ANY, ports.writer(),
                Map.of("dynamodb", dynamoDbEndpoint(), "sqs", sqsEndpoint()), own);
        int gatherManagement = Ports.anyFree();
        ChildProcess gather = service("gather-service", ports.gather(), gatherManagement,
                Map.of("dynamodb", dynamoDbEndpoint()), UNCACHED);
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

    private ChildProcess service(String module, int port, int management, Map<String, URI> clients,
            List<String> own) {
        List<String> options = new ArrayList<>(JVM);
        options.add("-Dquarkus.http.host=" + LOOPBACK);
        options.add("-Dquarkus.http.port=" + port);
        options.add("-Dquarkus.management.host=" + LOOPBACK);
        options.add("-Dquarkus.management.port=" + management);
        options.add("-Dwindrow.datasets-file=" + datasets);
        options.addAll(own);
        clients.forEach((client, endpoint) -> {
            String prefix = "-Dquarkus." + client;
            options.add(prefix + ".endpoint-override=" + endpoint);
            options.add(prefix + ".aws.region=" + REGION);
            options.add(prefix + ".aws.credentials.type=static");
            options.add(prefix + ".aws.credentials.static-provider.access-key-id=windrow");
            options.add(prefix + ".aws.credentials.static-provider.secret-access-key=windrow");
        });
        Path jar = root.resolve(module).resolve("target/quarkus-app/quarkus-run.jar");
        return child(module, List.of(jar), options, "io.quarkus.bootstrap.runner.QuarkusEntryPoint", List.of());
    }

    private ChildProcess child(String name, List<Path> classPath, List<String> options, String mainClass,
            List<String> arguments) {
        ChildProcess child = ChildProcess.start(name, logs.resolve(name + ".log"), classPath, options, mainClass, arguments);
        children.push(child);
        return child;
    }

    public URI dynamoDbEndpoint() {
        return address(ports.dynamoDb(), "");
    }

    public URI sqsEndpoint() {
        return address(ports.sqs(), "");
    }

    public URI gather() {
        return address(ports.gather(), "");
    }

    /** The writer's management port. */
    public URI writer() {
        return address(ports.writer(), "");
    }

    private static URI address(int port, String path) {
        return URI.create("http://" + LOOPBACK + ":" + port + path);
    }

    /** Ends all processes, the last started first. */
    @Override
    public void close() {
        while (!children.isEmpty()) {
            children.pop().close();
        }
    }
}
