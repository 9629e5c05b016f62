package dev.windrow.bench.baseline;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;

/**
 * The floor: a fan-out that does only what is necessary. Its own sockets on one selector thread; each request is written and
 * signed, answers are parsed as a stream, merged and rendered. It has no retries, no hedges, no TLS, no timeouts, no
 * metrics, and serves nobody. It shows how far away the minimum is, and is nothing to ship.
 */
public final class Floor {

    private static final int BUFFER_BYTES = 1 << 20;

    private static final JsonFactory JSON = new JsonFactory();

    private final URI endpoint;
    private final GatherShape shape;
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
        this.endpoint = endpoint;
        this.shape = shape;
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
            SignedQuery queries = new SignedQuery(endpoint, Instant.now());
            int sent = 0;
            for (Connection connection : connections) {
                write(connection, queries.bytes(shape, sent));
                sent++;
            }
            List<AnswerReader.Item> items = new ArrayList<>();
            for (int unanswered = shape.shards(); unanswered > 0;) {
                selector.select();
                for (SelectionKey key : selector.selectedKeys()) {
                    Connection connection = (Connection) key.attachment();
                    if (connection.channel.read(connection.received) < 0) {
                        throw new IOException("the server closed a connection");
                    }
                    if (AnswerReader.read(connection.bytes, connection.received.position(), items)) {
                        connection.received.clear();
                        unanswered--;
                        if (sent < shape.shards()) {
                            write(connection, queries.bytes(shape, sent));
                            sent++;
                        }
                    }
                }
                selector.selectedKeys().clear();
            }
            // Sorted runs, one per shard: sorting merges them.
            items.sort(Comparator.comparing(AnswerReader.Item::key));
            return render(items).length == 0 ? 0 : items.size();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] render(List<AnswerReader.Item> items) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(BUFFER_BYTES);
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            json.writeStartObject();
            json.writeArrayFieldStart("items");
            for (AnswerReader.Item item : items) {
                int label = item.key().indexOf('#');
                json.writeStartObject();
                json.writeArrayFieldStart("label");
                json.writeString(item.key().substring(label + 1, item.key().lastIndexOf('#')));
                json.writeEndArray();
                json.writeStringField("granularity", "minute");
                json.writeStringField("start", item.key().substring(0, label));
                json.writeObjectFieldStart("measures");
                json.writeFieldName("events");
                json.writeNumber(item.events());
                json.writeFieldName("bytes");
                json.writeNumber(item.bytes());
                json.writeEndObject();
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        return bytes.toByteArray();
    }

    private static void write(Connection connection, byte[] request) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(request);
        while (bytes.hasRemaining()) {
            connection.channel.write(bytes);
        }
    }
}
