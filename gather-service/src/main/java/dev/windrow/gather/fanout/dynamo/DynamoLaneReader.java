package dev.windrow.gather.fanout.dynamo;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import dev.windrow.base.Reason;
import dev.windrow.gather.fanout.GatherException;
import dev.windrow.gather.fanout.ItemReader;
import dev.windrow.gather.fanout.ItemReader.ItemKey;
import dev.windrow.gather.lane.LaneItem;
import dev.windrow.gather.lane.LaneReader;
import dev.windrow.table.Freshness.WatermarkCodec;
import dev.windrow.table.TableSchema;
import io.smallrye.mutiny.Uni;

/**
 * Reads lanes as items of the table. Those that exist have the lowest numbers and stay for good, so it reads those it knows
 * and one more, and goes on only if that exists as well.
 */
public final class DynamoLaneReader implements LaneReader {

    private static final List<String> ATTRIBUTES = List.of(TableSchema.PK, TableSchema.LANE_EPOCH, TableSchema.LANE_BEAT,
            TableSchema.LANE_HOLDER, TableSchema.LANE_POSITION, TableSchema.LANE_APPLIED, TableSchema.LANE_PARKINGS,
            TableSchema.LANE_WATERMARKS);

    private final ItemReader items;
    private volatile int known;

    /** @param items retries passing failures */
    public DynamoLaneReader(ItemReader items) {
        this.items = items;
    }

    @Override
    public Uni<List<LaneItem>> read() {
        return Uni.createFrom().deferred(() -> read(List.of(), 0, known + 1));
    }

    /**
     * Reads further lanes.
     *
     * @param lanes those that were read
     * @param from the number of the first that was not
     * @param to the number of the first lane that is not wanted
     */
    private Uni<List<LaneItem>> read(List<LaneItem> lanes, int from, int to) {
        int end = Math.min(to, TableSchema.MAX_LANES);
        List<ItemKey> keys = IntStream.range(from, end)
                .mapToObj(lane -> new ItemKey(TableSchema.lanePartitionKey(lane), TableSchema.LANE_SK)).toList();
        return items.read(keys, ATTRIBUTES, true).onItem().transformToUni(found -> {
            List<LaneItem> all = new ArrayList<>(lanes);
            found.texts().stream().map(DynamoLaneReader::lane).forEach(all::add);
            all.sort((a, b) -> Integer.compare(a.number(), b.number()));
            // There may be holes, as items can be lost.
            int highest = all.isEmpty() ? -1 : all.get(all.size() - 1).number();
            if (highest == end - 1 && end < TableSchema.MAX_LANES) {
                return read(all, end, 2 * end);
            }
            known = Math.max(known, highest + 1);
            return Uni.createFrom().item(all);
        });
    }

    /** @throws GatherException if no writer wrote it: it may have claimed anything, so the others say nothing without it */
    private static LaneItem lane(Map<String, String> texts) {
        try {
            long position = count(texts, TableSchema.LANE_POSITION);
            boolean parked = !texts.getOrDefault(TableSchema.LANE_PARKINGS, "").isEmpty();
            return new LaneItem(TableSchema.laneNumber(texts.getOrDefault(TableSchema.PK, "")),
                    count(texts, TableSchema.LANE_EPOCH), count(texts, TableSchema.LANE_BEAT),
                    texts.getOrDefault(TableSchema.LANE_HOLDER, ""),
                    count(texts, TableSchema.LANE_APPLIED) < position || parked,
                    WatermarkCodec.decode(texts.getOrDefault(TableSchema.LANE_WATERMARKS, "")));
        } catch (IllegalArgumentException e) {
            throw new GatherException(Reason.UNAVAILABLE, e);
        }
    }

    private static long count(Map<String, String> texts, String attribute) {
        return Long.parseLong(texts.getOrDefault(attribute, "0"));
    }
}
