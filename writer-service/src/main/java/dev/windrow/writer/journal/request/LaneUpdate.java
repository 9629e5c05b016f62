package dev.windrow.writer.journal.request;

import java.util.List;

import dev.windrow.table.Freshness.Watermark;
import dev.windrow.writer.journal.lane.Parking;

/**
 * What every write of a lane's item by its holder has: applied only if the epoch is still the holder's, the beat is newer than
 * the item's, and the position is the one that the holder knows: one that does not know of its own claim must not say what is
 * applied.
 *
 * @param lane its number
 * @param epoch the holder's
 * @param beat of this write; writing the same again has the same beat
 * @param position the item's before this write
 * @param applied see {@link dev.windrow.writer.journal.lane.Lane#applied()}
 * @param watermarks see {@link dev.windrow.writer.journal.lane.Lane#watermarks()}
 * @param parkings see {@link dev.windrow.writer.journal.lane.Lane#parkings()}
 */
public record LaneUpdate(int lane, long epoch, long beat, long position, long applied, List<Watermark> watermarks,
        List<Parking> parkings) {

    public LaneUpdate {
        watermarks = List.copyOf(watermarks);
        parkings = List.copyOf(parkings);
    }
}
