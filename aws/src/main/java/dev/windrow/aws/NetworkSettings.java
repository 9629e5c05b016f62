package dev.windrow.aws;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;

import javax.net.ssl.X509TrustManager;

import dev.windrow.aws.SdkHttp.CredentialsHttp;

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
     * @param environment looks up a variable by name
     * @param caBundle a PEM file of certificate authorities to be trusted besides the platform's
     * @throws dev.windrow.base.InvalidInputException if a proxy or the file is wrong
     */
    public static NetworkSettings of(Function<String, Optional<String>> environment, Optional<Path> caBundle) {
        return new NetworkSettings(Proxies.of(environment), caBundle.map(TrustedAuthorities::with));
    }

    /**
     * The network of all clients in this process, including those of credential providers.
     *
     * @param environment looks up a variable by name
     * @param caBundle a PEM file of certificate authorities to be trusted besides the platform's
     * @throws dev.windrow.base.InvalidInputException if a proxy or the file is wrong
     */
    public static NetworkSettings ofProcess(Function<String, Optional<String>> environment, Optional<Path> caBundle) {
        NetworkSettings settings = of(environment, caBundle);
        CredentialsHttp.use(settings);
        return settings;
    }
}
