package dev.windrow.aws;

import org.jspecify.annotations.Nullable;

import software.amazon.awssdk.core.SdkSystemSetting;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpService;

/**
 * The HTTP client of credential providers. The SDK creates their clients itself, such as the client of the token service
 * that exchanges a web identity for credentials (IRSA), and looks up its HTTP client by a system property.
 */
public final class CredentialsHttp implements SdkHttpService {

    private static volatile @Nullable NetworkSettings network;

    /** Instantiated by the SDK. */
    public CredentialsHttp() {
    }

    /** Makes the credential providers of this process use these settings from now on. */
    public static void use(NetworkSettings settings) {
        network = settings;
        System.setProperty(SdkSystemSetting.SYNC_HTTP_SERVICE_IMPL.property(), CredentialsHttp.class.getName());
    }

    @Override
    public SdkHttpClient.Builder<?> createHttpClientBuilder() {
        NetworkSettings settings = network;
        return SdkHttp.blocking(settings == null ? NetworkSettings.direct() : settings);
    }
}
