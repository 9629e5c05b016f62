package dev.windrow.gather.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.windrow.testing.Patience;
import io.restassured.RestAssured;

/** Sends bytes unchanged, which no HTTP client would do, and reads the response. */
public final class RawHttp {

    /** How long a response may take before it counts as hanging. */
    private static final int MAX_MILLIS = Math.toIntExact(Patience.LIMIT.toMillis());

    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] ([0-9]{3})[^\r\n]*\r\n");
    private static final Pattern LENGTH = Pattern.compile("\r\ncontent-length: *([0-9]+)\r\n", Pattern.CASE_INSENSITIVE);
    private static final String END_OF_HEAD = "\r\n\r\n";

    /**
     * A response.
     *
     * @param status its status; 0 if the connection was closed without one
     * @param head status line and headers
     * @param body everything after them
     * @param closed whether the server closed the connection
     */
    public record Answer(int status, String head, String body, boolean closed) {

        public Optional<String> header(String name) {
            Matcher matcher = Pattern.compile("\r\n" + Pattern.quote(name) + ": *([^\r\n]*)", Pattern.CASE_INSENSITIVE)
                    .matcher(head);
            return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
        }

        public boolean isProblem() {
            boolean document = header("Content-Type").orElse("").startsWith("application/problem+json");
            return document && (header("Content-Encoding").isPresent()
                    || (body.contains("\"type\":\"/api/v1/problems/") && body.contains("\"status\":" + status)));
        }
    }

    /** Sends a GET with an unchanged target and further header lines. */
    public Answer get(String target, String... headers) {
        return request("GET", target, "", headers);
    }

    /** Sends a request with an unchanged target and headers; header lines are given without line ends. */
    public Answer request(String method, String target, String body, String... headers) {
        StringBuilder text = new StringBuilder(
                method + " " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + RestAssured.port + "\r\n");
        for (String header : headers) {
            text.append(header).append("\r\n");
        }
        return send(text.append("\r\n").append(body).toString());
    }

    /** Sends bytes given as ISO 8859-1 and reads one response. */
    public Answer send(String bytes) {
        try (Socket socket = new Socket("127.0.0.1", RestAssured.port)) {
            socket.setSoTimeout(MAX_MILLIS);
            try {
                socket.getOutputStream().write(bytes.getBytes(ISO_8859_1));
                socket.getOutputStream().flush();
            } catch (IOException e) {
                // The server may respond and close before it has read everything; the response can still be read.
            }
            return read(socket.getInputStream(), bytes.startsWith("HEAD "));
        } catch (SocketTimeoutException e) {
            throw new AssertionError("no answer within " + MAX_MILLIS + " ms to " + abbreviated(bytes), e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends bytes given as ISO 8859-1, and reads until the server closes the connection. */
    public String sendAndReadToEnd(String bytes) {
        try (Socket socket = new Socket("127.0.0.1", RestAssured.port)) {
            socket.setSoTimeout(MAX_MILLIS);
            socket.getOutputStream().write(bytes.getBytes(ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Answer read(InputStream in, boolean headOnly) throws IOException {
        ByteArrayOutputStream received = new ByteArrayOutputStream();
        byte[] buffer = new byte[8_192];
        int count = 0;
        while (!isWhole(withoutContinue(received), headOnly) && (count = readSome(in, buffer)) >= 0) {
            received.write(buffer, 0, count);
        }
        String text = withoutContinue(received);
        Matcher status = STATUS.matcher(text);
        int end = text.indexOf(END_OF_HEAD);
        return status.lookingAt() && end > 0
                ? new Answer(Integer.parseInt(status.group(1)), text.substring(0, end + 2), text.substring(end + 4), count < 0)
                : new Answer(0, "", text, count < 0);
    }

    private static int readSome(InputStream in, byte[] buffer) throws IOException {
        try {
            return in.read(buffer);
        } catch (SocketTimeoutException e) {
            throw e;
        } catch (IOException e) {
            return -1;
        }
    }

    private static String withoutContinue(ByteArrayOutputStream received) {
        return received.toString(ISO_8859_1).replaceFirst("^HTTP/1\\.1 100 Continue\r\n\r\n", "");
    }

    /** Whether a response is complete; a stream of events never is. */
    private static boolean isWhole(String text, boolean headOnly) {
        int end = text.indexOf(END_OF_HEAD);
        if (end < 0 || headOnly) {
            return end >= 0;
        }
        String head = text.substring(0, end + 2);
        Matcher length = LENGTH.matcher(head);
        if (length.find()) {
            return text.length() >= end + 4 + Integer.parseInt(length.group(1));
        }
        String lower = head.toLowerCase(Locale.ROOT);
        if (lower.contains("text/event-stream")) {
            return true;
        }
        return lower.contains("\r\ntransfer-encoding: chunked\r\n") ? text.endsWith("\r\n0\r\n\r\n")
                : head.startsWith("HTTP/1.1 304") || head.startsWith("HTTP/1.1 204");
    }

    private static String abbreviated(String text) {
        return text.length() <= 300 ? text : text.substring(0, 300) + "…";
    }
}
