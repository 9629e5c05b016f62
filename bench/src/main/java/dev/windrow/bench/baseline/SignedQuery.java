package dev.windrow.bench.baseline;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.net.URI;

import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/** A query as it goes over the wire, signed. */
final class SignedQuery {

    private SignedQuery() {
    }

    static byte[] bytes(URI endpoint, GatherShape shape, int shard) {
        byte[] body = ("{\"TableName\":\"windrow\",\"IndexName\":\"scatter\",\"KeyConditionExpression\":"
                + "\"ipk = :p AND #0 BETWEEN :from AND :to\",\"ProjectionExpression\":\"#0,#1,#2\","
                + "\"ExpressionAttributeNames\":{\"#0\":\"isk\",\"#1\":\"m_events\",\"#2\":\"m_bytes\"},"
                + "\"ExpressionAttributeValues\":{\":p\":{\"S\":\"" + shape.partition(shard) + "\"},\":from\":{\"S\":\""
                + shape.from() + "\"},\":to\":{\"S\":\"" + shape.to() + "\"}},\"Limit\":" + shape.limit() + "}")
                .getBytes(UTF_8);
        SdkHttpRequest request = SdkHttpRequest.builder().method(SdkHttpMethod.POST).uri(endpoint)
                .putHeader("Content-Type", "application/x-amz-json-1.0")
                .putHeader("X-Amz-Target", "DynamoDB_20120810.Query").build();
        SdkHttpRequest signed = AwsV4HttpSigner.create().sign(signing -> signing
                .identity(AwsCredentialsIdentity.create("windrow", "windrow"))
                .request(request).payload(() -> new ByteArrayInputStream(body))
                .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "dynamodb")
                .putProperty(AwsV4HttpSigner.REGION_NAME, "us-east-1")).request();
        StringBuilder head = new StringBuilder("POST / HTTP/1.1\r\n");
        signed.forEachHeader((name, values) -> head.append(name).append(": ").append(values.get(0)).append("\r\n"));
        head.append("Content-Length: ").append(body.length).append("\r\n\r\n");
        byte[] start = head.toString().getBytes(UTF_8);
        byte[] bytes = new byte[start.length + body.length];
        System.arraycopy(start, 0, bytes, 0, start.length);
        System.arraycopy(body, 0, bytes, start.length, body.length);
        return bytes;
    }
}
