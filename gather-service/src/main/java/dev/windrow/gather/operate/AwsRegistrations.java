package dev.windrow.gather.operate;

import dev.windrow.aws.SdkHttp.CredentialsHttp;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * The HTTP client of credential providers. The AWS SDK makes it by its name when it exchanges a web identity for credentials
 * (IRSA). The token service's own classes are registered by its jar.
 */
@RegisterForReflection(targets = CredentialsHttp.class)
final class AwsRegistrations {

    private AwsRegistrations() {
    }
}
