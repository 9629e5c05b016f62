package dev.windrow.gather.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;

/** A server for the part of Redis's protocol (RESP 2) that the cache needs, which can stop responding. */
public class FakeRedis implements QuarkusTestResourceLifecycleManager {

    private final Map<String, String> values = new ConcurrentHashMap<>();
    private final AtomicInteger hits = new AtomicInteger();
    private boolean silent;
    private @Nullable ServerSocket server;

    @Override
    public Map<String, String> start() {
        try {
            ServerSocket started = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            server = started;
            daemon(() -> accept(started));
            Map<String, String> settings = new HashMap<>();
            settings.put("windrow.gather.fanout.cache.redis", "redis://127.0.0.1:" + started.getLocalPort());
            return settings;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void inject(TestInjector injector) {
        injector.injectIntoFields(this, new TestInjector.MatchesType(FakeRedis.class));
    }

    @Override
    public void stop() {
        try {
            if (server != null) {
                server.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sets whether it withholds its responses, like a stopped process. */
    public synchronized void silent(boolean now) {
        silent = now;
        notifyAll();
    }

    private synchronized void awaitVoice() {
        while (silent) {
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    public Map<String, String> values() {
        return values;
    }

    public int hits() {
        return hits.get();
    }

    private void accept(ServerSocket listening) throws IOException {
        while (true) {
            Socket socket = listening.accept();
            daemon(() -> serve(socket));
        }
    }

    private void serve(Socket socket) throws IOException {
        try (socket; InputStream in = new BufferedInputStream(socket.getInputStream())) {
            OutputStream out = socket.getOutputStream();
            while (true) {
                String reply = reply(command(in));
                awaitVoice();
                out.write(reply.getBytes(ISO_8859_1));
                out.flush();
            }
        }
    }

    private String reply(List<String> command) {
        switch (command.get(0).toUpperCase(Locale.ROOT)) {
            case "GET" -> {
                String value = values.get(command.get(1));
                if (value == null) {
                    return "$-1\r\n";
                }
                hits.incrementAndGet();
                return "$" + value.length() + "\r\n" + value + "\r\n";
            }
            case "SET" -> {
                values.put(command.get(1), command.get(2));
                return "+OK\r\n";
            }
            case "PING" -> {
                return "+PONG\r\n";
            }
            default -> {
                return "-ERR unknown command\r\n";
            }
        }
    }

    private static List<String> command(InputStream in) throws IOException {
        int parts = Integer.parseInt(line(in).substring(1));
        List<String> command = new ArrayList<>();
        for (int i = 0; i < parts; i++) {
            int length = Integer.parseInt(line(in).substring(1));
            command.add(new String(in.readNBytes(length), ISO_8859_1));
            line(in);
        }
        return command;
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException();
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    private interface Io {
        void run() throws IOException;
    }

    private static void daemon(Io work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException closed) {
                // the end of a connection, or of the server
            }
        }, "fake-redis");
        thread.setDaemon(true);
        thread.start();
    }
}
