package dev.windrow.gather.fanout.dynamo;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import software.amazon.awssdk.crt.CRT;

/**
 * The SDK's HTTP client shuts down when the JVM begins to, and then drops answers. A shutdown of this service waits for the
 * requests under way first, and those need the table.
 */
@ApplicationScoped
class HttpClientLifetime {

    void begin(@Observes StartupEvent start) {
        CRT.acquireShutdownRef();
    }

    /** Told once the requests under way have been answered. */
    void end(@Observes ShutdownEvent end) {
        CRT.releaseShutdownRef();
    }
}
