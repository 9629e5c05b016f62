package dev.windrow.writer.inflight;

import java.time.Duration;
import java.util.function.BooleanSupplier;

import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;

/** Polls a condition. */
final class Polling {

    private static final Duration INTERVAL = Duration.ofMillis(20);

    private Polling() {
    }

    /** Completes once the condition holds. */
    static Uni<Void> until(BooleanSupplier condition) {
        return Multi.createFrom().ticks().onExecutor(Infrastructure.getDefaultWorkerPool()).every(INTERVAL)
                .onOverflow().drop().select().where(tick -> condition.getAsBoolean()).toUni().replaceWithVoid();
    }
}
