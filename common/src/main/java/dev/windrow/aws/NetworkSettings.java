package dev.windrow.aws;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

import javax.net.ssl.X509TrustManager;

/**
 * How all clients of this process reach AWS: through which proxies, and trusting whom.
 *
 * @param proxies on the way
 * @param trustManager for TLS; the platform's own if absent
 */
public record NetworkSettings(Proxies proxies, Optional<X509TrustManager> trustManager) {

    /** Straight to AWS, with the platform's certificate authorities. */
    public static NetworkSettings direct() {
        return new NetworkSettings(Proxies.none(), Optional.empty());
    }

    /**
     * @param environment variables by name
     * @param caBundle a PEM file of certificate authorities to be trusted besides the platform's
     * @throws dev.windrow.reason.InvalidInputException if a proxy or the file is wrong
     */
    public static NetworkSettings of(Map<String, String> environment, Optional<Path> caBundle) {
        return new NetworkSettings(Proxies.of(environment), caBundle.map(TrustedAuthorities::with));
    }
}
