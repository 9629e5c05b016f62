package dev.windrow.writer.journal;

import java.util.List;

import dev.windrow.base.Reason;
import dev.windrow.writer.record.CellKey;
import dev.windrow.writer.record.Change;

/** Additions of records {@code first} to {@code last} that their item cannot take. */
public record Refusal(CellKey key, String granularity, long first, long last, long claimedMillis, List<Change> changes,
        Reason reason, String detail) {
}
