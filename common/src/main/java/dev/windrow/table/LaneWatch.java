package dev.windrow.table;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Watches lanes for silent holders: an item that was not written for a lease, by the watcher's own clock, is abandoned. No
 * clocks are compared. A holder that was only paused is fenced when its lane is acquired. Not thread-safe.
 */
public final class LaneWatch {

    /** A lane's last known write, and since when no newer one was seen. */
    private record Sight(Lane lane, long sinceNanos) {
    }

    private final long leaseNanos;
    private final Map<Integer, Sight> sights = new HashMap<>();

    /** @param leaseNanos how long a holder may be silent */
    public LaneWatch(long leaseNanos) {
        this.leaseNanos = leaseNanos;
    }

    /** Notes the state of lanes that were read. */
    public void see(List<Lane> lanes, long nowNanos) {
        for (Lane lane : lanes) {
            Sight sight = sights.get(lane.number());
            boolean same = sight != null && sight.lane.epoch() == lane.epoch() && sight.lane.beat() == lane.beat();
            sights.put(lane.number(), new Sight(lane, same && sight != null ? sight.sinceNanos : nowNanos));
        }
    }

    /** Whether a lane has work that no writer does: it was released with work left, or its holder went silent. */
    public boolean isAbandoned(Lane lane, long nowNanos) {
        return lane.hasWork() && (!lane.isHeld() || isSilent(lane, nowNanos));
    }

    /** Whether a writer that needs a lane may take it. */
    public boolean isFree(Lane lane, long nowNanos) {
        return !lane.hasWork() && (!lane.isHeld() || isSilent(lane, nowNanos));
    }

    private boolean isSilent(Lane lane, long nowNanos) {
        Sight sight = sights.get(lane.number());
        return sight != null && sight.lane.epoch() == lane.epoch() && sight.lane.beat() == lane.beat()
                && nowNanos - sight.sinceNanos >= leaseNanos;
    }
}
