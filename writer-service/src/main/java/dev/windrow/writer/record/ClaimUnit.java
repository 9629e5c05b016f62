package dev.windrow.writer.record;

import java.util.List;

/**
 * A unit that is claimed as a whole or not at all.
 *
 * @param id identifies the unit on redelivery
 * @param additions may be empty
 */
public record ClaimUnit(ClaimId id, List<Addition> additions) {

}
