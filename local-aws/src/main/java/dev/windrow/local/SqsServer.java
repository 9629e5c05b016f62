package dev.windrow.local;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.http.scaladsl.Http;
import org.apache.pekko.pattern.Patterns;
import org.elasticmq.NodeAddress;
import org.elasticmq.StrictSQSLimits$;
import org.elasticmq.actor.QueueManagerActor;
import org.elasticmq.actor.queue.QueueEvent;
import org.elasticmq.persistence.sql.DB;
import org.elasticmq.persistence.sql.SqlQueuePersistenceActor;
import org.elasticmq.persistence.sql.SqlQueuePersistenceConfig;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;
import org.elasticmq.rest.sqs.TheSQSRestServerBuilder;
import org.elasticmq.util.NowProvider;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;

import scala.Option;
import scala.collection.immutable.Nil$;
import scala.concurrent.duration.FiniteDuration;
import scala.jdk.javaapi.FutureConverters;
import scala.util.Either;
import scalikejdbc.ConnectionPool$;

/** ElasticMQ, with SQS's own limits on message and batch sizes. */
final class SqsServer {

    private static final Duration MAX_START = Duration.ofMinutes(2);
    private static final Duration MAX_STOP = Duration.ofMinutes(2);

    /** How long open long polls may continue at shutdown before they are aborted. */
    private static final FiniteDuration GRACE = FiniteDuration.apply(100, TimeUnit.MILLISECONDS);

    private static final String SETTINGS = """
            pekko.loglevel = WARNING
            pekko.stdout-loglevel = WARNING
            pekko.daemonic = on
            # The JVM belongs to whoever embeds this server; it is stopped by close().
            pekko.jvm-shutdown-hooks = off
            pekko.coordinated-shutdown.run-by-jvm-shutdown-hook = off
            """;

    /** Queue URLs repeat the address that the client used, as a container does not know its external one. */
    private static final NodeAddress AS_REQUESTED = new NodeAddress("http", "*", 0, "");

    private SqsServer() {
    }

    /**
     * Starts the server.
     *
     * @param cleanup receives the actions that stop it
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
        // The thread's class loader may be another application's, which cannot see ElasticMQ's defaults.
        Config config = ConfigFactory.parseString(SETTINGS).withFallback(ConfigFactory.load(loader));
        return ActorSystem.create("elasticmq", config, loader);
    }

    private static <T> T await(CompletionStage<T> stage, Duration timeout)
            throws InterruptedException, ExecutionException, TimeoutException {
        return stage.toCompletableFuture().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * ElasticMQ's queues and messages in an H2 database file. ElasticMQ keeps its database connections in a JVM-wide variable,
     * so only one storage can exist at a time.
     */
    static final class SqsStorage implements AutoCloseable {

        private static final Semaphore ONE_AT_A_TIME = new Semaphore(1);
        private static final Duration MAX_RESTORE = Duration.ofMinutes(2);
        private static final String DRIVER = "org.h2.Driver";
        private static final String FILE = "elasticmq";
        private static final String USER = "sa";
        private static final String PASSWORD = "";

        private final SqlQueuePersistenceConfig config;

        private SqsStorage(SqlQueuePersistenceConfig config) {
            this.config = config;
        }

        static SqsStorage open(Path folder) {
            if (!ONE_AT_A_TIME.tryAcquire()) {
                throw new IllegalStateException("folder: expected no second one in the same JVM, found " + folder);
            }
            try {
                String uri = "jdbc:h2:file:" + folder.resolve(FILE);
                SqlQueuePersistenceConfig config = new SqlQueuePersistenceConfig(true, DRIVER, uri, USER, PASSWORD, false);
                // ElasticMQ does this itself, but only once per JVM: for a second folder it has to be done here.
                DB.initializeSingleton(config);
                if (!pool().isInitialized(pool().DEFAULT_NAME())) {
                    pool().singleton(uri, USER, PASSWORD, pool().singleton$default$4(),
                            pool().DEFAULT_CONNECTION_POOL_FACTORY());
                }
                return new SqsStorage(config);
            } catch (RuntimeException | Error failure) {
                ONE_AT_A_TIME.release();
                throw failure;
            }
        }

        /** Creates the actor that persists changes to queues and messages before they are acknowledged. */
        ActorRef keeper(ActorSystem system) {
            return system.actorOf(Props.create(SqlQueuePersistenceActor.class,
                    () -> new SqlQueuePersistenceActor(config, nil())));
        }

        /** Creates the actor that owns the queues, and restores the persisted ones. */
        ActorRef restoredManager(ActorSystem system, ActorRef keeper)
                throws InterruptedException, ExecutionException, TimeoutException {
            ActorRef manager = system.actorOf(Props.create(QueueManagerActor.class,
                    () -> new QueueManagerActor(new NowProvider(), StrictSQSLimits$.MODULE$, Option.apply(keeper))));
            Object answer = Patterns.ask(keeper, new QueueEvent.Restore(manager), MAX_RESTORE)
                    .toCompletableFuture().get(MAX_RESTORE.toMillis(), TimeUnit.MILLISECONDS);
            if (answer instanceof Either<?, ?> outcome && outcome.isLeft()) {
                throw new IllegalStateException("queues could not be restored: " + outcome);
            }
            return manager;
        }

        @Override
        public void close() {
            pool().closeAll();
            ONE_AT_A_TIME.release();
        }

        private static ConnectionPool$ pool() {
            return ConnectionPool$.MODULE$;
        }

        @SuppressWarnings("unchecked")
        private static <T> scala.collection.immutable.List<T> nil() {
            return (scala.collection.immutable.List<T>) Nil$.MODULE$;
        }
    }
}
