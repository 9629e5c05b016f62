package dev.windrow.writer.lifecycle;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

import dev.windrow.writer.store.TableHealth;

/** Makes the health of the table, which flow and readiness share. */
@ApplicationScoped
class TableHealthProducer {

    @Produces
    @Singleton
    TableHealth health() {
        return new TableHealth(System::nanoTime);
    }
}
