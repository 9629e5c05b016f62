package dev.windrow.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import com.sun.net.httpserver.HttpServer;

/**
 * The part of AWS's token service that turns a Kubernetes service account into credentials, as IRSA does. A service
 * without other credentials reaches its table only through it.
 */
public final class StsServer implements AutoCloseable {

    private static final String TOKEN = "header.of-a-service-account.signature";
    private static final String ANSWER = """
            <AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
              <AssumeRoleWithWebIdentityResult>
                <Credentials>
                  <AccessKeyId>windrow</AccessKeyId>
                  <SecretAccessKey>windrow</SecretAccessKey>
                  <SessionToken>windrow</SessionToken>
                  <Expiration>2099-01-01T00:00:00Z</Expiration>
                </Credentials>
              </AssumeRoleWithWebIdentityResult>
              <ResponseMetadata><RequestId>1</RequestId></ResponseMetadata>
            </AssumeRoleWithWebIdentityResponse>""";

    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final HttpServer server;
    private final Path tokenFile;

    private StsServer(HttpServer server, Path tokenFile) {
        this.server = server;
        this.tokenFile = tokenFile;
    }

    /** Listens on loopback, on a free port. */
    public static StsServer start() {
        try {
            Path file = Files.writeString(Files.createTempFile("windrow-web-identity", ".token"), TOKEN);
            file.toFile().deleteOnExit();
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            StsServer service = new StsServer(server, file);
            server.createContext("/", exchange -> {
                service.requests.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
                byte[] answer = ANSWER.getBytes(StandardCharsets.UTF_8);
                exchange.getResponseHeaders().set("Content-Type", "text/xml");
                exchange.sendResponseHeaders(200, answer.length);
                exchange.getResponseBody().write(answer);
                exchange.close();
            });
            server.start();
            return service;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a pod's environment would say, as system properties. */
    public Map<String, String> settings() {
        return Map.of("aws.region", "us-east-1",
                "aws.roleArn", "arn:aws:iam::123456789012:role/windrow",
                "aws.roleSessionName", "windrow",
                "aws.webIdentityTokenFile", tokenFile.toString(),
                "aws.endpointUrlSts", endpoint().toString());
    }

    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** Whether the service account's own token came in exchange for credentials. */
    public boolean hasExchangedTheToken() {
        return requests.stream().map(request -> URLDecoder.decode(request, StandardCharsets.UTF_8))
                .anyMatch(request -> request.contains("Action=AssumeRoleWithWebIdentity")
                        && request.contains("WebIdentityToken=" + TOKEN));
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
