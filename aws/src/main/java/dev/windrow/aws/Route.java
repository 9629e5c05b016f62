package dev.windrow.aws;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.windrow.aws.Proxies.Proxy;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.ProxyOptions;
import io.vertx.core.net.ProxyType;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.TrustOptions;

/**
 * The way to an endpoint. A request for an https endpoint goes through a tunnel of its proxy, one for an http endpoint to the
 * proxy itself (RFC 9112, section 3.2.2).
 *
 * @param host the header, which is signed
 * @param target of the request line
 * @param headers of each request, not signed
 */
record Route(NetClientOptions options, SocketAddress address, String host, String target, Map<String, String> headers) {

    private static final int CONNECT_MILLIS = 2_000;
    /** Enough for a cold process on a small share of a processor; one that hangs must not keep others from being made. */
    private static final int HANDSHAKE_SECONDS = 5;
    private static final int HTTPS_PORT = 443;
    private static final int HTTP_PORT = 80;

    static Route to(URI uri, NetworkSettings network) {
        boolean secure = uri.getScheme().equals("https");
        int port = uri.getPort() < 0 ? secure ? HTTPS_PORT : HTTP_PORT : uri.getPort();
        String host = uri.getPort() < 0 ? uri.getHost() : uri.getHost() + ":" + uri.getPort();
        SocketAddress address = SocketAddress.inetSocketAddress(port, uri.getHost());
        NetClientOptions options = new NetClientOptions().setConnectTimeout(CONNECT_MILLIS).setSsl(secure)
                .setSslHandshakeTimeout(HANDSHAKE_SECONDS).setSslHandshakeTimeoutUnit(TimeUnit.SECONDS);
        if (secure) {
            options.setHostnameVerificationAlgorithm("HTTPS");
            network.trustManager().ifPresent(trust -> options.setTrustOptions(TrustOptions.wrap(trust)));
        }
        return network.proxies().to(uri).map(proxy -> {
            if (secure) {
                return new Route(options.setProxyOptions(tunnel(proxy)), address, host, path(uri), Map.of());
            }
            return new Route(options, SocketAddress.inetSocketAddress(proxy.port(), proxy.host()), host,
                    "http://" + host + path(uri), authorization(proxy));
        }).orElse(new Route(options, address, host, path(uri), Map.of()));
    }

    static String path(URI uri) {
        String path = uri.getRawPath();
        return path == null || path.isEmpty() ? "/" : path;
    }

    private static ProxyOptions tunnel(Proxy proxy) {
        return new ProxyOptions().setType(ProxyType.HTTP).setHost(proxy.host()).setPort(proxy.port())
                .setUsername(proxy.user()).setPassword(proxy.password());
    }

    private static Map<String, String> authorization(Proxy proxy) {
        return proxy.user() == null ? Map.of()
                : Map.of("proxy-authorization", "Basic " + Base64.getEncoder()
                        .encodeToString((proxy.user() + ":" + proxy.password()).getBytes(UTF_8)));
    }

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
}
