package dev.windrow.writer.journal.claim;

import java.util.List;

import dev.windrow.writer.journal.record.Addition;

/**
 * What is claimed whole or not at all.
 *
 * @param id recognizes it on a redelivery
 * @param additions what it adds; may be nothing
 */
public record ClaimUnit(ClaimId id, List<Addition> additions) {

    public ClaimUnit {
        additions = List.copyOf(additions);
    }
}
