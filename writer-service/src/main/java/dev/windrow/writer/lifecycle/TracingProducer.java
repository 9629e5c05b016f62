package dev.windrow.writer.lifecycle;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

import org.eclipse.microprofile.config.inject.ConfigProperty;

import dev.windrow.writer.flow.FlushTracing;
import io.opentelemetry.api.OpenTelemetry;

/** Turns tracing on where OpenTelemetry is. */
@ApplicationScoped
class TracingProducer {

    @Produces
    @Singleton
    FlushTracing tracing(OpenTelemetry telemetry,
            @ConfigProperty(name = "quarkus.otel.sdk.disabled", defaultValue = "false") boolean disabled) {
        return disabled ? FlushTracing.off() : FlushTracing.with(telemetry);
    }
}
