package dev.windrow.writer.journal.request;

import java.util.List;

import dev.windrow.lane.Watermark;
import dev.windrow.writer.journal.lane.Parking;

/**
 * What every write of a lane's item by its holder has: applied only if the epoch is still the holder's and the beat is
 * newer than the item's.
 *
 * @param lane its number
 * @param epoch the holder's
 * @param beat of this write; writing the same again has the same beat
 * @param applied see {@link dev.windrow.writer.journal.lane.Lane#applied()}
 * @param watermarks see {@link dev.windrow.writer.journal.lane.Lane#watermarks()}
 * @param parkings see {@link dev.windrow.writer.journal.lane.Lane#parkings()}
 */
public record LaneUpdate(int lane, long epoch, long beat, long applied, List<Watermark> watermarks,
        List<Parking> parkings) {

    public LaneUpdate {
        watermarks = List.copyOf(watermarks);
        parkings = List.copyOf(parkings);
    }
}
