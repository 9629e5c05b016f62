package dev.windrow.aws;

import java.net.URI;
import java.util.Optional;

import javax.net.ssl.TrustManager;

import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.ProxyConfiguration;

/** HTTP clients for the SDK, for infrequent requests: pure Java, with the network settings of {@link AwsJsonClient}. */
public final class SdkHttp {

    private static final String HTTPS = "https";

    private SdkHttp() {
    }

    /**
     * For asynchronous clients of a service.
     *
     * @param endpointOverride the client's endpoint, unless it is AWS's own, which is always https
     */
    public static NettyNioAsyncHttpClient.Builder async(NetworkSettings network, Optional<URI> endpointOverride) {
        NettyNioAsyncHttpClient.Builder builder = NettyNioAsyncHttpClient.builder();
        network.trustManager().ifPresent(trust -> builder.tlsTrustManagersProvider(() -> new TrustManager[] { trust }));
        ProxyConfiguration.Builder proxy = ProxyConfiguration.builder().useSystemPropertyValues(false)
                .useEnvironmentVariableValues(false).nonProxyHosts(network.proxies().direct());
        network.proxies().ofScheme(endpointOverride.map(URI::getScheme).orElse(HTTPS)).ifPresent(
                known -> proxy.host(known.host()).port(known.port()).username(known.user()).password(known.password()));
        return builder.proxyConfiguration(proxy.build());
    }

    /** For blocking clients of AWS's own endpoints. */
    public static ApacheHttpClient.Builder blocking(NetworkSettings network) {
        ApacheHttpClient.Builder builder = ApacheHttpClient.builder();
        network.trustManager().ifPresent(trust -> builder.tlsTrustManagersProvider(() -> new TrustManager[] { trust }));
        software.amazon.awssdk.http.apache.ProxyConfiguration.Builder proxy = software.amazon.awssdk.http.apache.ProxyConfiguration
                .builder().useSystemPropertyValues(false).useEnvironmentVariableValues(false)
                .nonProxyHosts(network.proxies().direct());
        network.proxies().ofScheme(HTTPS).ifPresent(known -> proxy
                .endpoint(URI.create("http://" + known.host() + ":" + known.port())).username(known.user())
                .password(known.password()));
        return builder.proxyConfiguration(proxy.build());
    }

}
