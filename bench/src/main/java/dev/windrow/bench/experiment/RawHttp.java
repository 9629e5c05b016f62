package dev.windrow.bench.experiment;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.util.Locale;

/**
 * A client with one persistent connection and next to no cost of its own, so that what is timed is the service. It knows
 * just enough HTTP/1.1: answers with a length or in chunks.
 */
final class RawHttp implements AutoCloseable {

    private static final int READ_TIMEOUT_MILLIS = 30_000;

    private final Socket socket;
    private final InputStream input;

    RawHttp(int port) {
        try {
            socket = new Socket("127.0.0.1", port);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(READ_TIMEOUT_MILLIS);
            input = new BufferedInputStream(socket.getInputStream(), 1 << 16);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How long a 200 answer took, in microseconds. */
    double micros(URI address) {
        long start = System.nanoTime();
        get(address);
        return (System.nanoTime() - start) / 1e3;
    }

    private void get(URI address) {
        try {
            socket.getOutputStream().write(("GET " + address.getRawPath() + "?" + address.getRawQuery()
                    + " HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n\r\n").getBytes(ISO_8859_1));
            int status = Integer.parseInt(line().split(" ", 3)[1]);
            int length = 0;
            boolean chunked = false;
            for (String header = line(); !header.isEmpty(); header = line()) {
                String lower = header.toLowerCase(Locale.ROOT);
                if (lower.startsWith("content-length:")) {
                    length = Integer.parseInt(lower.substring("content-length:".length()).strip());
                }
                chunked |= lower.startsWith("transfer-encoding:") && lower.endsWith("chunked");
            }
            byte[] body = chunked ? chunks() : input.readNBytes(length);
            if (status != 200) {
                throw new IllegalStateException(address + " answered " + status + ": " + new String(body, ISO_8859_1));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private byte[] chunks() throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int size = Integer.parseInt(line(), 16); size > 0; size = Integer.parseInt(line(), 16)) {
            all.write(input.readNBytes(size));
            line();
        }
        line();
        return all.toByteArray();
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = input.read(); c != '\n'; c = input.read()) {
            if (c < 0) {
                throw new IOException("the service closed the connection");
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
