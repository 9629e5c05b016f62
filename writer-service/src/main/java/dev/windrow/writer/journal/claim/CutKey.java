package dev.windrow.writer.journal.claim;

/**
 * A minute whose claims share a cut into slots.
 *
 * @param kind of what is claimed
 * @param minute since the epoch
 */
public record CutKey(ClaimId.Kind kind, long minute) {

    /** Milliseconds of a minute. */
    static final long MINUTE_MILLIS = 60_000;

    /** The minute of an id. */
    public static CutKey of(ClaimId id) {
        return new CutKey(id.kind(), Math.floorDiv(id.millis(), MINUTE_MILLIS));
    }

    /** Whether it is the minute of an id. */
    boolean isOf(ClaimId id) {
        return kind == id.kind() && minute == Math.floorDiv(id.millis(), MINUTE_MILLIS);
    }

    /** The minute before. */
    CutKey before() {
        return new CutKey(kind, minute - 1);
    }
}
