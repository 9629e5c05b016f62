package dev.windrow.writer.journal.apply;

import java.util.List;

import dev.windrow.base.Reason;
import dev.windrow.writer.journal.record.Change;

/**
 * Additions that their item cannot take.
 *
 * @param key what they were to be added to
 * @param granularity the bucket's
 * @param first the first position that is among them
 * @param last the last such position
 * @param claimedMillis when the first was claimed
 * @param changes what was to be added
 * @param reason why it cannot be
 * @param detail the same, human-readable
 */
public record Refusal(CellKey key, String granularity, long first, long last, long claimedMillis, List<Change> changes,
        Reason reason, String detail) {
}
