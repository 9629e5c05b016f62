package dev.windrow.writer.journal;

import java.util.List;
import java.util.Map;

import dev.windrow.writer.record.ClaimUnit;

/** A received message, as the journal's caller holds it. */
public interface JournalMessage {

    /** Returns the units with all that it adds; none if all of it was rejected. */
    List<ClaimUnit> units();

    /** Returns the attributes that it was sent with, which may name its trace. */
    Map<String, String> attributes();

    /** Called once it is completely claimed: the journal has its additions, and drops its units. */
    void claimed();

    /**
     * Called if DynamoDB permanently rejects the claim of a part of it. Once the rest is claimed, the whole message is to
     * become a dead letter.
     */
    void refused(String detail);

    /** Ends it: its rejected events become dead letters, and it is deleted, or left to be redelivered. */
    void delete();
}
