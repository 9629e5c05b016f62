package dev.windrow.gather.lane;

import java.util.List;

import io.smallrye.mutiny.Uni;

/** Reads the journal's lanes from the table. */
@FunctionalInterface
public interface LaneReader {

    /**
     * Reads all lanes that exist, with strong consistency, once subscribed to.
     *
     * @return those that exist; none in a table without a journal
     */
    Uni<List<LaneItem>> read();
}
