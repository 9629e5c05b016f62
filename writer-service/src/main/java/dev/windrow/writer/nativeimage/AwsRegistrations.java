package dev.windrow.writer.nativeimage;

import io.quarkus.runtime.annotations.RegisterForReflection;
import io.quarkus.runtime.annotations.RegisterResources;

/**
 * The HTTP client of the token service. The AWS SDK finds it as a service when it exchanges a web identity for
 * credentials (IRSA); the extensions register only the clients that this application asks for by itself. The token
 * service's own classes are registered by its jar.
 */
@RegisterForReflection(classNames = "software.amazon.awssdk.http.crt.AwsCrtSdkHttpService")
@RegisterResources(globs = "META-INF/services/software.amazon.awssdk.http.SdkHttpService")
final class AwsRegistrations {

    private AwsRegistrations() {
    }
}
