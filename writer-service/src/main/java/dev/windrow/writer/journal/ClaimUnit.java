package dev.windrow.writer.journal;

import java.util.List;

import dev.windrow.writer.journal.JournalRecord.Addition;

/**
 * What is claimed whole or not at all.
 *
 * @param id recognizes it on a redelivery
 * @param additions what it adds; may be nothing
 */
public record ClaimUnit(ClaimId id, List<Addition> additions) {

    /**
     * Identifies a claim on every delivery. Nothing in it depends on how a dataset is declared.
     *
     * @param kind of what
     * @param millis its own time in milliseconds since the epoch, or near it, the same at each delivery: what is claimed
     *        together should have times that follow each other, but not all the same
     * @param hash 64 well-mixed bits that distinguish it from others of its time
     */
    public record ClaimId(Kind kind, long millis, long hash) {

        public enum Kind {
            /** Consecutive events of a message, by the message's id and sent time. */
            MESSAGE("m"),
            /** One event, by its own id and time. */
            EVENT("e"),
            /** Parked additions that are replayed, by lane and position. */
            PARKED("p");

            private final String word;

            Kind(String word) {
                this.word = word;
            }

            /** Its letter in keys. */
            public String word() {
                return word;
            }
        }

        @Override
        public boolean equals(Object other) {
            return this == other || (other instanceof ClaimId id && hash == id.hash && millis == id.millis && kind == id.kind);
        }

        @Override
        public int hashCode() {
            return Long.hashCode(hash);
        }
    }
}
