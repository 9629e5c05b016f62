package dev.windrow.writer.journal;

import dev.windrow.writer.record.ClaimId;

/** A minute since the epoch whose claims share a cut into slots. */
public record CutKey(ClaimId.Kind kind, long minute) {

    static final long MINUTE_MILLIS = 60_000;

    public static CutKey of(ClaimId id) {
        return new CutKey(id.kind(), Math.floorDiv(id.millis(), MINUTE_MILLIS));
    }

    CutKey before() {
        return new CutKey(kind, minute - 1);
    }
}
