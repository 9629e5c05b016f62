package dev.windrow.aws;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Function;

import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;

/**
 * How all clients of this process reach AWS: through which proxies, and trusting which certificate authorities.
 *
 * @param trustManager for TLS; the platform's own if absent
 */
public record NetworkSettings(Proxies proxies, Optional<X509TrustManager> trustManager) {

    private static final String CA_BUNDLE = "windrow.aws.ca-bundle";

    /** Direct connections to AWS, trusting the platform's certificate authorities. */
    public static NetworkSettings direct() {
        return new NetworkSettings(Proxies.none(), Optional.empty());
    }

    /**
     * @param environment looks up a variable by name
     * @param caBundle a PEM file of certificate authorities to trust in addition to the platform's
     * @throws dev.windrow.base.InvalidInputException if a proxy or the file is invalid
     */
    public static NetworkSettings of(Function<String, Optional<String>> environment, Optional<Path> caBundle) {
        return new NetworkSettings(Proxies.of(environment), caBundle.map(NetworkSettings::trusting));
    }

    /** Like {@link #of}, and applies the settings to all clients in this process, including those of credential providers. */
    public static NetworkSettings ofProcess(Function<String, Optional<String>> environment, Optional<Path> caBundle) {
        NetworkSettings settings = of(environment, caBundle);
        CredentialsHttp.use(settings);
        return settings;
    }

    /**
     * Trusts the certificate authorities of the platform (the JVM's, or those of {@code javax.net.ssl.trustStore}) and those of
     * a PEM file, so that a private endpoint and AWS's own can be used side by side.
     *
     * @throws InvalidInputException if the file cannot be read or contains no certificate
     */
    private static X509TrustManager trusting(Path bundle) {
        try {
            KeyStore authorities = KeyStore.getInstance(KeyStore.getDefaultType());
            authorities.load(null, null);
            int count = 0;
            for (X509Certificate certificate : trustManager(null).getAcceptedIssuers()) {
                authorities.setCertificateEntry("authority-" + count++, certificate);
            }
            for (Certificate certificate : read(bundle)) {
                authorities.setCertificateEntry("authority-" + count++, certificate);
            }
            return trustManager(authorities);
        } catch (GeneralSecurityException | IOException e) {
            throw invalid(bundle, e.toString());
        }
    }

    private static Collection<? extends Certificate> read(Path bundle) throws GeneralSecurityException, IOException {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(bundle))) {
            Collection<? extends Certificate> certificates = CertificateFactory.getInstance("X.509").generateCertificates(in);
            if (certificates.isEmpty()) {
                throw invalid(bundle, "no certificate");
            }
            return certificates;
        }
    }

    private static X509TrustManager trustManager(@Nullable KeyStore authorities) throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(authorities);
        return (X509TrustManager) factory.getTrustManagers()[0];
    }

    private static InvalidInputException invalid(Path bundle, String found) {
        return new InvalidInputException(Reason.INVALID_SETTING, CA_BUNDLE,
                "expected a file of PEM certificates, found at " + bundle + ": " + found);
    }

}
