package dev.windrow.writer.record;

/**
 * Identifies a claim unit, the same on every delivery. Independent of how a dataset is declared.
 *
 * @param kind what the id identifies
 * @param millis the unit's time in milliseconds since the epoch, or near it, the same on every delivery. Units that are
 *        claimed together should have consecutive times, but not all the same one
 * @param hash 64 well-mixed bits that distinguish it from others of its time
 */
public record ClaimId(Kind kind, long millis, long hash) {

    public enum Kind {
        /** Consecutive events of a message, by the message's id and sent time. */
        MESSAGE("m"),
        /** One event, by its own id and time. */
        EVENT("e"),
        /** Replayed parked additions, by lane, positions and cell. */
        PARKED("p");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

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
