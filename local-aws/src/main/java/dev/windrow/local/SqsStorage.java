package dev.windrow.local;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.pattern.Patterns;
import org.elasticmq.StrictSQSLimits$;
import org.elasticmq.actor.QueueManagerActor;
import org.elasticmq.actor.queue.QueueEvent;
import org.elasticmq.persistence.sql.DB;
import org.elasticmq.persistence.sql.SqlQueuePersistenceActor;
import org.elasticmq.persistence.sql.SqlQueuePersistenceConfig;
import org.elasticmq.util.NowProvider;

import scala.Option;
import scala.collection.immutable.Nil$;
import scala.util.Either;
import scalikejdbc.ConnectionPool$;

/**
 * ElasticMQ's queues and messages in an H2 database file. ElasticMQ keeps the connections to it in a variable of the
 * whole JVM, so there is one storage at a time.
 */
final class SqsStorage implements AutoCloseable {

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
            // ElasticMQ does this itself, but once for the life of the JVM: for a second folder it has to be done here.
            DB.initializeSingleton(config);
            if (!pool().isInitialized(pool().DEFAULT_NAME())) {
                pool().singleton(uri, USER, PASSWORD, pool().singleton$default$4(), pool().DEFAULT_CONNECTION_POOL_FACTORY());
            }
            return new SqsStorage(config);
        } catch (RuntimeException | Error failure) {
            ONE_AT_A_TIME.release();
            throw failure;
        }
    }

    /** The actor that writes down what happens to queues and messages, before it is acknowledged. */
    ActorRef keeper(ActorSystem system) {
        return system.actorOf(Props.create(SqlQueuePersistenceActor.class,
                () -> new SqlQueuePersistenceActor(config, nil())));
    }

    /** The actor that owns the queues, once it has again those that were written down. */
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
