package dev.windrow.writer.store;

import java.util.Collections;
import java.util.List;

import dev.windrow.reason.Reason;
import dev.windrow.writer.aggregate.SeriesBatch;
import dev.windrow.writer.inflight.pending.ContributionOutcome;

/** Failures as outcomes. */
final class Failures {

    private Failures() {
    }

    static ContributionOutcome of(Throwable failure) {
        return failure instanceof WriteFailedException write
                ? new ContributionOutcome.Failed(write.reason(), write.detail())
                : new ContributionOutcome.Failed(Reason.INTERNAL, failure.toString());
    }

    static List<ContributionOutcome> all(SeriesBatch batch, Throwable failure) {
        return Collections.nCopies(batch.shares().size(), of(failure));
    }
}
