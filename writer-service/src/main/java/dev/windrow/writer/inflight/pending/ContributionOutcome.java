package dev.windrow.writer.inflight.pending;

import dev.windrow.reason.Reason;

/** What became of a share. */
public sealed interface ContributionOutcome {

    /** It is in the table. */
    ContributionOutcome APPLIED = new Applied();

    /** It was in the table before. */
    ContributionOutcome DUPLICATE = new Duplicate();

    /** It is in the table now. */
    record Applied() implements ContributionOutcome {
    }

    /** The ledger says that it was applied by an earlier delivery of its message. */
    record Duplicate() implements ContributionOutcome {
    }

    /**
     * It is not in the table as far as is known.
     *
     * @param reason {@link Reason#REFUSED} or {@link Reason#NUMBER_OUT_OF_RANGE} if it never will be
     * @param detail for people
     */
    record Failed(Reason reason, String detail) implements ContributionOutcome {

        /** Whether no other try can help. */
        public boolean isFinal() {
            return reason == Reason.REFUSED || reason == Reason.NUMBER_OUT_OF_RANGE;
        }

        /** Whether the table will not take the label until somebody changes something, and may well take others. */
        public boolean isDenied() {
            return reason == Reason.ACCESS_DENIED || reason == Reason.UNKNOWN_ERROR;
        }
    }
}
