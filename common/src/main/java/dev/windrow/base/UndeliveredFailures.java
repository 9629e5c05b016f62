package dev.windrow.base;

import java.util.List;
import java.util.function.Function;

import io.smallrye.mutiny.CompositeException;
import io.smallrye.mutiny.infrastructure.Infrastructure;

/**
 * Failures that Mutiny cannot deliver, because whoever waited cancelled while they were on their way, as when a service stops
 * or a client hangs up.
 */
public final class UndeliveredFailures {

    private static final StructuredLogger LOG = StructuredLogger.of(UndeliveredFailures.class);

    private UndeliveredFailures() {
    }

    /**
     * Logs them from now on, for the whole process. Quarkus would log each as an error with its stack trace. Only a fault of
     * Windrow's own is one.
     */
    public static void log(Function<Throwable, Reason> reasons) {
        Infrastructure.setDroppedExceptionHandler(failure -> {
            List<Throwable> causes = failure instanceof CompositeException joined ? joined.getCauses() : List.of(failure);
            List<Reason> found = causes.stream().map(reasons).toList();
            if (found.contains(Reason.INTERNAL)) {
                LOG.error(failure, "failed after it was cancelled", LogKey.REASON.of(Reason.INTERNAL.word()));
            } else {
                LOG.debug(failure, "failed after it was cancelled", LogKey.REASON.of(found.get(0).word()));
            }
        });
    }
}
