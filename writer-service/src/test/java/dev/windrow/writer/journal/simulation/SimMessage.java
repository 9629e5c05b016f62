package dev.windrow.writer.journal.simulation;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import dev.windrow.writer.journal.ClaimUnit;

/** A message of the queue; it lasts until it is deleted, and perhaps a little longer. */
final class SimMessage {

    final String id;
    /** Its units as each declaration of the datasets resolves them. */
    final List<List<ClaimUnit>> unitsByVersion;
    long visibleAt;
    boolean deleted;
    /** Whether the whole message is in the dead-letter queue. */
    boolean letterSent;
    final Set<Object> receivers = new HashSet<>();

    SimMessage(String id, List<List<ClaimUnit>> unitsByVersion, long visibleAt) {
        this.id = id;
        this.unitsByVersion = unitsByVersion;
        this.visibleAt = visibleAt;
    }
}
