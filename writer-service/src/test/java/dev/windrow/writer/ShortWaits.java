package dev.windrow.writer;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

import dev.windrow.writer.WriterWiring.FlowSettings;
import io.quarkus.test.Mock;

/** The application in tests need not wait as long for receives when it ends. */
@Mock
class ShortWaits {

    @Produces
    @Singleton
    FlowSettings settings() {
        return InProcessWriter.FLOW;
    }
}
