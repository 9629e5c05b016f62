package dev.windrow.writer.store;

import java.util.Collections;
import java.util.List;

import dev.windrow.reason.Reason;
import dev.windrow.writer.aggregate.SeriesBatch;
import dev.windrow.writer.aggregate.ShareOutcome;

/** Failures as outcomes. */
final class Failures {

    private Failures() {
    }

    static ShareOutcome of(Throwable failure) {
        return failure instanceof WriteFailedException write
                ? new ShareOutcome.Failed(write.reason(), write.detail())
                : new ShareOutcome.Failed(Reason.INTERNAL, failure.toString());
    }

    static List<ShareOutcome> all(SeriesBatch batch, Throwable failure) {
        return Collections.nCopies(batch.shares().size(), of(failure));
    }
}
