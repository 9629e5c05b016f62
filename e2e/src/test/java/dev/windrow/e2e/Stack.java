package dev.windrow.e2e;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.lifecycle.Startables;
import org.testcontainers.utility.MountableFile;

import com.github.dockerjava.api.model.AccessMode;
import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.Volume;

/**
 * Two writers, a gatherer and the embedded servers on a network of their own, each as restricted as a cluster would run
 * it: not root, nothing writable but /tmp, no capabilities.
 */
final class Stack implements AutoCloseable {

    private static final int DYNAMODB = 8000;
    private static final int SQS = 9324;
    private static final int GATHERER = 8080;
    private static final int GATHERER_MANAGEMENT = 9000;
    private static final String DATASETS = "/etc/windrow/datasets.yaml";

    private final Network network = Network.newNetwork();
    private final GenericContainer<?> localAws;
    private final Writer first;
    private final Writer second;
    private final GenericContainer<?> gatherer;

    private Stack() {
        localAws = restricted(Images.localAws()).withNetworkAliases("local-aws").withExposedPorts(SQS)
                // A message that a stopped writer holds comes back soon, and never ends as a dead letter. Much sooner, and
                // writers on a busy machine would be given again what they still work on.
                .withEnv(Map.of("WINDROW_LOCAL_VISIBILITY_TIMEOUT", "15", "WINDROW_LOCAL_MAX_RECEIVE_COUNT", "1000"))
                .waitingFor(Wait.forLogMessage(".*Ctrl-C stops both.*", 1));
        Future<String> image = Images.writer();
        first = new Writer(writer(image), network);
        second = new Writer(writer(image), network);
        gatherer = service(Images.gatherer(), GATHERER_MANAGEMENT).withEnv("WINDROW_GATHER_AUTHENTICATION_TYPE", "none");
        gatherer.addExposedPort(GATHERER);
    }

    static Stack start() {
        Stack stack = new Stack();
        try {
            Startables.deepStart(Stream.of(stack.localAws, stack.first.container(), stack.second.container(), stack.gatherer))
                    .join();
        } catch (RuntimeException failure) {
            stack.close();
            throw failure;
        }
        return stack;
    }

    URI sqs() {
        return URI.create("http://" + localAws.getHost() + ":" + localAws.getMappedPort(SQS));
    }

    URI gather() {
        return URI.create("http://" + gatherer.getHost() + ":" + gatherer.getMappedPort(GATHERER));
    }

    Writer first() {
        return first;
    }

    Writer second() {
        return second;
    }

    List<GenericContainer<?>> containers() {
        return List.of(localAws, first.container(), second.container(), gatherer);
    }

    private GenericContainer<?> writer(Future<String> image) {
        return service(image, Writer.MANAGEMENT)
                .withEnv(Map.of("WINDROW_WRITER_AGGREGATE_MAX_AGE", "200ms",
                        // Tests look at coarse buckets right after the events.
                        "WINDROW_WRITER_JOURNAL_WRITE_EVERY_HOUR", "1s", "WINDROW_WRITER_JOURNAL_WRITE_EVERY_DAY", "1s"));
    }

    private GenericContainer<?> service(Future<String> image, int management) {
        return restricted(image).withExposedPorts(management)
                .dependsOn(localAws)
                // Mounted, not copied: nothing can be copied where nothing can be written.
                .withCreateContainerCmdModifier(command -> command.getHostConfig().withBinds(new Bind(
                        MountableFile.forClasspathResource("datasets.yaml").getFilesystemPath(), new Volume(DATASETS),
                        AccessMode.ro)))
                .withEnv(Map.of("WINDROW_DATASETS_FILE", DATASETS,
                        "AWS_REGION", "us-east-1", "AWS_ACCESS_KEY_ID", "windrow", "AWS_SECRET_ACCESS_KEY", "windrow",
                        "QUARKUS_DYNAMODB_ENDPOINT_OVERRIDE", "http://local-aws:" + DYNAMODB,
                        "QUARKUS_SQS_ENDPOINT_OVERRIDE", "http://local-aws:" + SQS))
                .waitingFor(Wait.forHttp("/q/health/ready").forPort(management).withStartupTimeout(Timeouts.START));
    }

    private GenericContainer<?> restricted(Future<String> image) {
        return new GenericContainer<>(image).withNetwork(network)
                .withTmpFs(Map.of("/tmp", "rw,noexec,size=64m"))
                .withCreateContainerCmdModifier(command -> command.getHostConfig().withReadonlyRootfs(true)
                        .withCapDrop(Capability.ALL)
                        .withSecurityOpts(List.of("no-new-privileges")));
    }

    @Override
    public void close() {
        Stream.of(gatherer, first.container(), second.container(), localAws).parallel().forEach(GenericContainer::stop);
        network.close();
    }
}
