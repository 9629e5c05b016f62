package dev.windrow.gather.lane;

import java.util.List;

import dev.windrow.table.Freshness.Watermark;

/**
 * A lane of the journal as read.
 *
 * @param number its number
 * @param epoch how often it was acquired
 * @param beat grows with each write within an epoch
 * @param holder who holds it; empty if it was released
 * @param hasWork whether it has records that are not in all their buckets, or dead letters that may not have been sent
 * @param watermarks the granularities that lag
 */
public record LaneItem(int number, long epoch, long beat, String holder, boolean hasWork, List<Watermark> watermarks) {

    public LaneItem {
        watermarks = List.copyOf(watermarks);
    }
}
