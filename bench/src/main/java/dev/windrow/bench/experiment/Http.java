package dev.windrow.bench.experiment;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** Queries over persistent connections, with the JDK's oldest client, as that takes the least processor time. */
final class Http {

    private static final int READ_TIMEOUT_MILLIS = 120_000;

    static {
        System.setProperty("http.maxConnections", "64");
    }

    private Http() {
    }

    /** Returns how long the response took, in microseconds. */
    static double micros(URI address) {
        long start = System.nanoTime();
        String unused = get(address);
        return (System.nanoTime() - start) / 1e3;
    }

    /** @throws UncheckedIOException if there is no response, or its status is an error */
    static String get(URI address) {
        try {
            HttpURLConnection connection = (HttpURLConnection) address.toURL().openConnection();
            connection.setReadTimeout(READ_TIMEOUT_MILLIS);
            connection.setRequestProperty("Accept", "application/json");
            try (InputStream body = connection.getInputStream()) {
                return new String(body.readAllBytes(), StandardCharsets.UTF_8);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(address + " failed", e);
        }
    }

    static boolean isOk(URI address) {
        try {
            return !get(address).isEmpty();
        } catch (UncheckedIOException e) {
            return false;
        }
    }
}
