package dev.windrow.writer.journal.claim;

import java.util.List;

/**
 * A received message.
 *
 * @param reference names the delivery to the caller
 * @param units what it adds; none if all of it was rejected
 */
public record JournalMessage(Object reference, List<ClaimUnit> units) {

    public JournalMessage {
        units = List.copyOf(units);
    }
}
