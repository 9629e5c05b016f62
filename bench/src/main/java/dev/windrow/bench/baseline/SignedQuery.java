package dev.windrow.bench.baseline;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Queries as they go over the wire, signed (Signature Version 4) with what the JDK has. */
final class SignedQuery {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'")
            .withZone(ZoneOffset.UTC);
    private static final String TYPE = "application/x-amz-json-1.0";
    private static final String TARGET = "DynamoDB_20120810.Query";

    private final String host;
    private final String time;
    private final String scope;
    private final byte[] key;

    /** @param now when the queries are signed */
    SignedQuery(URI endpoint, Instant now) {
        this.host = endpoint.getAuthority();
        this.time = TIME.format(now);
        String day = time.substring(0, 8);
        this.scope = day + "/us-east-1/dynamodb/aws4_request";
        byte[] derived = "AWS4windrow".getBytes(UTF_8);
        for (String part : scope.split("/", -1)) {
            derived = mac(derived, part);
        }
        this.key = derived;
    }

    byte[] bytes(GatherShape shape, int shard) {
        String body = "{\"TableName\":\"windrow\",\"IndexName\":\"scatter\",\"KeyConditionExpression\":"
                + "\"ipk = :p AND #0 BETWEEN :from AND :to\",\"ProjectionExpression\":\"#0,#1,#2\","
                + "\"ExpressionAttributeNames\":{\"#0\":\"isk\",\"#1\":\"m_events\",\"#2\":\"m_bytes\"},"
                + "\"ExpressionAttributeValues\":{\":p\":{\"S\":\"" + shape.partition(shard) + "\"},\":from\":{\"S\":\""
                + shape.from() + "\"},\":to\":{\"S\":\"" + shape.to() + "\"}},\"Limit\":" + shape.limit() + "}";
        String signed = "content-type;host;x-amz-date;x-amz-target";
        String request = "POST\n/\n\ncontent-type:" + TYPE + "\nhost:" + host + "\nx-amz-date:" + time + "\nx-amz-target:"
                + TARGET + "\n\n" + signed + "\n" + digest(body);
        String signature = HexFormat.of().formatHex(
                mac(key, "AWS4-HMAC-SHA256\n" + time + "\n" + scope + "\n" + digest(request)));
        return ("POST / HTTP/1.1\r\nHost: " + host + "\r\nContent-Type: " + TYPE + "\r\nX-Amz-Date: " + time
                + "\r\nX-Amz-Target: " + TARGET + "\r\nAuthorization: AWS4-HMAC-SHA256 Credential=windrow/" + scope
                + ", SignedHeaders=" + signed + ", Signature=" + signature + "\r\nContent-Length: " + body.length()
                + "\r\n\r\n" + body).getBytes(UTF_8);
    }

    private static String digest(String text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] mac(byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(text.getBytes(UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
