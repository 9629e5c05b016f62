package dev.windrow.bench.baseline;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * The floor: a fan-out that does only what is necessary. Its own sockets on one selector thread, each request signed once
 * and resent unchanged, answers parsed as a stream without a tree. It has no retries, no TLS and
 * no time-outs, and its signatures would be refused after five minutes: nothing to ship, a distance to know.
 */
public final class Floor {

    private static final int BUFFER_BYTES = 1 << 20;

    private final List<ByteBuffer> requests = new ArrayList<>();
    private final List<Connection> connections = new ArrayList<>();
    private final Selector selector = Selector.open();

    private static final class Connection {
        private final SocketChannel channel;
        private final byte[] bytes = new byte[BUFFER_BYTES];
        private final ByteBuffer received = ByteBuffer.wrap(bytes);

        Connection(SocketChannel channel) {
            this.channel = channel;
        }
    }

    private Floor(URI endpoint, GatherShape shape, int concurrency) throws IOException {
        for (int shard = 0; shard < shape.shards(); shard++) {
            requests.add(ByteBuffer.wrap(SignedQuery.bytes(endpoint, shape, shard)));
        }
        for (int i = 0; i < Math.min(concurrency, shape.shards()); i++) {
            SocketChannel channel = SocketChannel.open(new InetSocketAddress(endpoint.getHost(), endpoint.getPort()));
            channel.socket().setTcpNoDelay(true);
            channel.configureBlocking(false);
            Connection connection = new Connection(channel);
            connections.add(connection);
            channel.register(selector, SelectionKey.OP_READ, connection);
        }
    }

    /** @param args DynamoDB endpoint, dataset, from, to, shards, limit of each, concurrency */
    public static void main(String[] args) throws IOException {
        Floor floor = new Floor(URI.create(args[0]), GatherShape.of(args), Integer.parseInt(args[6]));
        Tethered.gather(floor::gather);
    }

    private long gather() {
        try {
            Queue<ByteBuffer> waiting = new ArrayDeque<>(requests);
            for (Connection connection : connections) {
                write(connection, waiting.remove());
            }
            int unanswered = requests.size();
            long items = 0;
            while (unanswered > 0) {
                selector.select();
                for (SelectionKey key : selector.selectedKeys()) {
                    Connection connection = (Connection) key.attachment();
                    if (connection.channel.read(connection.received) < 0) {
                        throw new IOException("the server closed a connection");
                    }
                    int found = AnswerReader.items(connection.bytes, connection.received.position());
                    if (found >= 0) {
                        connection.received.clear();
                        items += found;
                        unanswered--;
                        if (!waiting.isEmpty()) {
                            write(connection, waiting.remove());
                        }
                    }
                }
                selector.selectedKeys().clear();
            }
            return items;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(Connection connection, ByteBuffer request) throws IOException {
        ByteBuffer bytes = request.duplicate();
        while (bytes.hasRemaining()) {
            connection.channel.write(bytes);
        }
    }
}
