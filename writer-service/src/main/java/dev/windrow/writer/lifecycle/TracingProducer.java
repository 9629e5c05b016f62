package dev.windrow.writer.lifecycle;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

import org.eclipse.microprofile.config.inject.ConfigProperty;

import dev.windrow.writer.flow.ClaimTracing;
import io.opentelemetry.api.OpenTelemetry;

/** Turns tracing on where OpenTelemetry is. */
@ApplicationScoped
class TracingProducer {

    @Produces
    @Singleton
    ClaimTracing tracing(OpenTelemetry telemetry,
            @ConfigProperty(name = "quarkus.otel.sdk.disabled", defaultValue = "false") boolean disabled) {
        return disabled ? ClaimTracing.off() : ClaimTracing.with(telemetry);
    }
}
