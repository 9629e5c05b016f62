package dev.windrow.gather.lane;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.windrow.gather.query.AbandonedLane;

/**
 * Watches lanes for work that no writer does: an item with work that has not changed for a while, by the watcher's own
 * clock. No clocks are compared. Holds one entry for each lane. Not thread-safe.
 */
final class LaneWatch {

    /** A lane's last known write, and since when nothing newer was seen. */
    private record Sight(long epoch, long beat, long sinceNanos) {
    }

    private final long abandonedAfterNanos;
    private final Map<Integer, Sight> sights = new HashMap<>();

    LaneWatch(long abandonedAfterNanos) {
        this.abandonedAfterNanos = abandonedAfterNanos;
    }

    /** Notes lanes as they were read, and gives those that are abandoned. */
    List<AbandonedLane> see(List<LaneItem> lanes, long nowNanos) {
        lanes.forEach(lane -> sights.merge(lane.number(), new Sight(lane.epoch(), lane.beat(), nowNanos),
                (last, now) -> last.epoch() == now.epoch() && last.beat() == now.beat() ? last : now));
        return lanes.stream().filter(lane -> lane.hasWork() && isSilent(lane, nowNanos))
                .map(lane -> new AbandonedLane(lane.number(), lane.holder(), lane.watermarks())).toList();
    }

    private boolean isSilent(LaneItem lane, long nowNanos) {
        Sight sight = sights.get(lane.number());
        return sight != null && nowNanos - sight.sinceNanos() >= abandonedAfterNanos;
    }
}
