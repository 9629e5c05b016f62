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
 * The handler of DynamoDB Local in a separate Jetty. DynamoDB Local's own server class would listen on every interface and
 * report its start to AWS; its handler does neither.
 */
final class DynamoDbServer {

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(20);
    private static final int MAX_THREADS = 64;

    private DynamoDbServer() {
    }

    /**
     * Starts the server.
     *
     * @param cleanup receives the actions that stop it
     * @return the port it listens on
     */
    static int start(String host, int port, Optional<Path> folder, Cleanup cleanup) {
        // One shared database for all regions and credentials, so that users' own tools see what services wrote.
        boolean shared = true;
        // Tables become active immediately.
        boolean delayed = false;
        String path = folder.map(Path::toString).orElse(null);
        LocalDynamoDBServerHandler handler = new LocalDynamoDBServerHandler(
                new LocalDynamoDBRequestHandler(0, folder.isEmpty(), path, shared, delayed), null);
        cleanup.add(() -> close(handler));
        QueuedThreadPool threads = new QueuedThreadPool(MAX_THREADS);
        threads.setName("dynamodb-local");
        threads.setDaemon(true);
        Server server = new Server(threads);
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        ServerConnector connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
        connector.setHost(host);
        connector.setPort(port);
        server.addConnector(connector);
        server.setHandler(handler);
        cleanup.add(server::stop);
        try {
            server.start();
            return connector.getLocalPort();
        } catch (Exception failure) {
            throw new IllegalStateException("DynamoDB Local cannot listen on " + host + ":" + port + ": "
                    + failure.getMessage(), failure);
        }
    }

    /** Limits the wait: closing waits forever for a pending index, which each of nine tables with a TTL can block. */
    private static void close(LocalDynamoDBServerHandler handler) throws InterruptedException {
        Thread closing = new Thread(handler::close, "dynamodb-local-close");
        closing.setDaemon(true);
        closing.start();
        closing.join(CLOSE_LIMIT.toMillis());
    }
}
