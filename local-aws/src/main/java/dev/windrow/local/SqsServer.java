package dev.windrow.local;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.http.scaladsl.Http;
import org.elasticmq.NodeAddress;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;
import org.elasticmq.rest.sqs.TheSQSRestServerBuilder;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;

import dev.windrow.local.LocalAws.Cleanup;
import scala.concurrent.duration.FiniteDuration;
import scala.jdk.javaapi.FutureConverters;

/** ElasticMQ, with SQS's own limits of message and batch sizes. */
final class SqsServer {

    private static final Duration MAX_START = Duration.ofMinutes(2);
    private static final Duration MAX_STOP = Duration.ofMinutes(2);

    /** Open long polls are aborted after this long, instead of being awaited. */
    private static final FiniteDuration GRACE = FiniteDuration.apply(100, TimeUnit.MILLISECONDS);

    private static final String SETTINGS = """
            pekko.loglevel = WARNING
            pekko.stdout-loglevel = WARNING
            pekko.daemonic = on
            # The JVM belongs to whoever embeds this server; it is stopped by close().
            pekko.jvm-shutdown-hooks = off
            pekko.coordinated-shutdown.run-by-jvm-shutdown-hook = off
            """;

    /** Queue URLs repeat the address that the client used: a container does not know its outer one. */
    private static final NodeAddress AS_REQUESTED = new NodeAddress("http", "*", 0, "");

    private SqsServer() {
    }

    /**
     * Starts it.
     *
     * @param cleanup takes what stops it
     * @return the port it listens on
     */
    static int start(String host, int port, Optional<Path> folder, Cleanup cleanup) {
        try {
            Optional<SqsStorage> storage = folder.map(path -> cleanup.add(SqsStorage.open(path)));
            ActorSystem system = createSystem();
            cleanup.add(() -> await(FutureConverters.asJava(system.terminate()), MAX_STOP));
            TheSQSRestServerBuilder builder = SQSRestServerBuilder.withActorSystem(system)
                    .withInterface(host).withPort(port).withServerAddress(AS_REQUESTED);
            if (storage.isPresent()) {
                ActorRef keeper = storage.get().keeper(system);
                ActorRef manager = storage.get().restoredManager(system, keeper);
                builder = builder.withQueueManagerActor(manager).withQueueEventListener(keeper);
            }
            Http.ServerBinding binding = await(FutureConverters.asJava(builder.start().startFuture()), MAX_START);
            cleanup.add(() -> await(FutureConverters.asJava(binding.terminate(GRACE)), MAX_STOP));
            return binding.localAddress().getPort();
        } catch (Exception failure) {
            throw new IllegalStateException("ElasticMQ cannot start on " + host + ":" + port + ": " + failure.getMessage(),
                    failure);
        }
    }

    private static ActorSystem createSystem() {
        ClassLoader loader = SqsServer.class.getClassLoader();
        // The thread's own loader may be another application's, which knows nothing of ElasticMQ's defaults.
        Config config = ConfigFactory.parseString(SETTINGS).withFallback(ConfigFactory.load(loader));
        return ActorSystem.create("elasticmq", config, loader);
    }

    private static <T> T await(CompletionStage<T> stage, Duration timeout)
            throws InterruptedException, ExecutionException, TimeoutException {
        return stage.toCompletableFuture().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }
}
