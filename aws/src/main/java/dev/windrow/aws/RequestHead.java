package dev.windrow.aws;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Map;

/**
 * What all requests of an operation begin with.
 *
 * @param signed the headers that are signed
 * @param bytes the request line and the headers, as they are sent
 */
record RequestHead(Map<String, String> signed, byte[] bytes) {

    private static final String CONTENT_TYPE = "application/x-amz-json-1.0";

    /** @param operation the header x-amz-target, such as {@code AmazonSQS.ReceiveMessage} */
    static RequestHead of(Route route, String operation) {
        Map<String, String> signed = Map.of("host", route.host(), "content-type", CONTENT_TYPE, "x-amz-target", operation);
        StringBuilder head = new StringBuilder("POST ").append(route.target()).append(" HTTP/1.1\r\n");
        route.headers().forEach((name, value) -> append(head, name, value));
        signed.forEach((name, value) -> append(head, name, value));
        return new RequestHead(signed, head.toString().getBytes(ISO_8859_1));
    }

    private static void append(StringBuilder head, String name, String value) {
        head.append(name).append(": ").append(value).append("\r\n");
    }
}
