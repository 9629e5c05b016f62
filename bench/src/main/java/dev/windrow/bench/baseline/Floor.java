package dev.windrow.bench.baseline;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

import dev.windrow.aws.SigV4Signer;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;

/**
 * The floor: a fan-out that does only what is necessary. It uses plain sockets, writes and signs requests like the gatherer,
 * and parses responses as a stream, merges and renders them. It has no retries, hedged reads, TLS, timeouts, metrics or
 * clients. It shows how far away the minimum is, and is not meant for production.
 */
final class Floor {

    private static final int BUFFER_BYTES = 1 << 20;
    private static final String LENGTH = "content-length: ";
    private static final JsonFactory JSON = new JsonFactory();

    private final FanOut.Shape shape;
    private final SigV4Signer signer = new SigV4Signer(AwsBasicCredentials.create("windrow", "windrow"), "dynamodb",
            "us-east-1", "/");
    private final Map<String, String> headers;
    private final List<Socket> connections = new ArrayList<>();
    private final byte[] received = new byte[BUFFER_BYTES];

    /** An item as the texts of its attributes; {@code key} is the sort key of the index. */
    private record Item(String key, String events, String bytes) {
    }

    private Floor(URI endpoint, FanOut.Shape shape, int concurrency) {
        this.shape = shape;
        this.headers = Map.of("host", endpoint.getAuthority(), "content-type", "application/x-amz-json-1.0", "x-amz-target",
                "DynamoDB_20120810.Query");
        try {
            for (int i = 0; i < Math.min(concurrency, shape.shards()); i++) {
                Socket socket = new Socket(endpoint.getHost(), endpoint.getPort());
                socket.setTcpNoDelay(true);
                connections.add(socket);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param args DynamoDB endpoint, dataset, from, to, shards, limit of each, concurrency shared by all clients */
    public static void main(String[] args) throws IOException {
        Tethered.gather(clients -> {
            Floor floor = new Floor(URI.create(args[0]), FanOut.Shape.of(args),
                    Math.max(1, Integer.parseInt(args[6]) / clients));
            return floor::gather;
        });
    }

    private long gather() {
        try {
            Instant now = Instant.now();
            for (int shard = 0; shard < connections.size(); shard++) {
                send(shard, now);
            }
            List<Item> items = new ArrayList<>();
            for (int shard = 0; shard < shape.shards(); shard++) {
                receive(shard, items);
                if (shard + connections.size() < shape.shards()) {
                    send(shard + connections.size(), now);
                }
            }
            // Each shard is a sorted run, so sorting merges them.
            items.sort(Comparator.comparing(Item::key));
            return render(items).length == 0 ? 0 : items.size();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Socket connection(int shard) {
        return connections.get(shard % connections.size());
    }

    private void send(int shard, Instant now) throws IOException {
        byte[] body = ("{\"TableName\":\"windrow\",\"IndexName\":\"scatter\",\"KeyConditionExpression\":"
                + "\"ipk = :p AND #0 BETWEEN :from AND :to\",\"ProjectionExpression\":\"#0,#1,#2\","
                + "\"ExpressionAttributeNames\":{\"#0\":\"isk\",\"#1\":\"m_events\",\"#2\":\"m_bytes\"},"
                + "\"ExpressionAttributeValues\":{\":p\":{\"S\":\"" + shape.partition(shard) + "\"},\":from\":{\"S\":\""
                + shape.from() + "\"},\":to\":{\"S\":\"" + shape.to() + "\"}},\"Limit\":" + shape.limit() + "}")
                .getBytes(UTF_8);
        StringBuilder request = new StringBuilder(1_024).append("POST / HTTP/1.1\r\n");
        headers.forEach((name, value) -> request.append(name).append(": ").append(value).append("\r\n"));
        signer.sign(headers, body, now, (name, value) -> request.append(name).append(": ").append(value).append("\r\n"));
        request.append(LENGTH).append(body.length).append("\r\n\r\n").append(new String(body, ISO_8859_1));
        connection(shard).getOutputStream().write(request.toString().getBytes(ISO_8859_1));
    }

    private void receive(int shard, List<Item> items) throws IOException {
        int end = 0;
        int body = -1;
        String head = "";
        while (body < 0) {
            end += read(shard, end);
            head = new String(received, 0, end, ISO_8859_1);
            body = head.indexOf("\r\n\r\n");
        }
        head = head.substring(0, body + 2).toLowerCase(Locale.ROOT);
        int at = head.indexOf(LENGTH) + LENGTH.length();
        int length = Integer.parseInt(head.substring(at, head.indexOf('\r', at)));
        while (end < body + 4 + length) {
            end += read(shard, end);
        }
        if (!head.startsWith("http/1.1 200")) {
            throw new IOException("answered: " + head);
        }
        parse(body + 4, length, items);
    }

    private int read(int shard, int offset) throws IOException {
        int read = connection(shard).getInputStream().read(received, offset, received.length - offset);
        if (read < 0) {
            throw new IOException("the server closed a connection");
        }
        return read;
    }

    /** Parses items. The only texts in recorded responses are their values, with attributes in a fixed order. */
    private void parse(int offset, int length, List<Item> items) throws IOException {
        String[] texts = new String[3];
        int found = 0;
        try (JsonParser parser = JSON.createParser(received, offset, length)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.VALUE_STRING) {
                    texts[found] = parser.getText();
                    found = (found + 1) % texts.length;
                    if (found == 0) {
                        items.add(new Item(texts[0], texts[1], texts[2]));
                    }
                }
            }
        }
    }

    private static byte[] render(List<Item> items) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(BUFFER_BYTES);
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            json.writeStartObject();
            json.writeArrayFieldStart("items");
            for (Item item : items) {
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
}
