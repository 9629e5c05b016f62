package dev.windrow.local;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

import software.amazon.dynamodb.services.local.server.LocalDynamoDBRequestHandler;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBServerHandler;

/**
 * DynamoDB Local behind a Jetty of our own. Its own server class listens on every interface and reports its start to
 * AWS; its handler does neither.
 */
final class DynamoDbServer implements AutoCloseable {

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(20);
    private static final int MAX_THREADS = 64;

    private final Server server;
    private final ServerConnector connector;
    private final LocalDynamoDBServerHandler handler;

    private DynamoDbServer(String host, int port, Optional<Path> folder) {
        // One shared database, whatever region and credentials a client names: people's tools see what services wrote.
        boolean shared = true;
        // Tables become active at once.
        boolean delayed = false;
        String path = folder.map(Path::toString).orElse(null);
        handler = new LocalDynamoDBServerHandler(
                new LocalDynamoDBRequestHandler(0, folder.isEmpty(), path, shared, delayed), null);
        QueuedThreadPool threads = new QueuedThreadPool(MAX_THREADS);
        threads.setName("dynamodb-local");
        threads.setDaemon(true);
        server = new Server(threads);
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
        connector.setHost(host);
        connector.setPort(port);
        server.addConnector(connector);
        server.setHandler(handler);
    }

    static DynamoDbServer start(String host, int port, Optional<Path> folder) {
        ServerLogLevels.apply();
        DynamoDbServer started = new DynamoDbServer(host, port, folder);
        try {
            started.server.start();
            return started;
        } catch (Exception failure) {
            IllegalStateException reported = new IllegalStateException("DynamoDB Local cannot listen on " + host + ":" + port
                    + ": " + failure.getMessage(), failure);
            try {
                started.close();
            } catch (Exception closing) {
                reported.addSuppressed(closing);
            }
            throw reported;
        }
    }

    /** The port it listens on. */
    int port() {
        return connector.getLocalPort();
    }

    @Override
    public void close() throws Exception {
        try {
            server.stop();
        } finally {
            closeHandler();
        }
    }

    /** Closing waits forever for an index that is still to be built, which each of nine tables with a TTL can prevent. */
    private void closeHandler() throws InterruptedException {
        Thread closing = new Thread(handler::close, "dynamodb-local-close");
        closing.setDaemon(true);
        closing.start();
        closing.join(CLOSE_LIMIT.toMillis());
    }
}
