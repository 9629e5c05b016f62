package dev.windrow.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Logger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.windrow.testing.LogLines;
import io.smallrye.mutiny.CompositeException;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.smallrye.mutiny.subscription.Cancellable;

class UndeliveredFailuresTest {

    @BeforeEach
    void log() {
        UndeliveredFailures.log(failure -> failure instanceof IOException ? Reason.UNAVAILABLE : Reason.INTERNAL);
    }

    @AfterEach
    void reset() {
        Infrastructure.resetDroppedExceptionHandler();
    }

    @Test
    void onlyAFaultOfTheProgramIsAnError() {
        try (LogLines lines = LogLines.of(Logger.getLogger(UndeliveredFailures.class.getName()))) {
            cancelWhileItFails(new IOException("cut"));
            cancelWhileItFails(new CompositeException(new IOException("cut"), new IOException("too")));
            assertThat(lines.all()).isEmpty();

            cancelWhileItFails(new IllegalStateException("a bug"));
            cancelWhileItFails(new CompositeException(new IOException("cut"), new IllegalStateException("a bug")));
            String error = "ERROR failed after it was cancelled: reason=internal";
            assertThat(lines.all()).containsExactly(error, error);
        }
    }

    private static void cancelWhileItFails(Throwable failure) {
        AtomicReference<Runnable> fail = new AtomicReference<>();
        AtomicReference<Cancellable> waiting = new AtomicReference<>();
        waiting.set(Uni.createFrom().emitter(emitter -> fail.set(() -> emitter.fail(failure)))
                .onFailure().invoke(() -> waiting.get().cancel())
                .onItem().invoke(item -> {
                })
                .subscribe().with(item -> {
                }, undelivered -> {
                    throw new AssertionError("delivered: " + undelivered);
                }));
        fail.get().run();
    }
}
