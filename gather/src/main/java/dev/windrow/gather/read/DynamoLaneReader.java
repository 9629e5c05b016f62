package dev.windrow.gather.read;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import dev.windrow.base.Reason;
import dev.windrow.table.Lane;
import dev.windrow.table.LaneCodec;
import dev.windrow.table.TableSchema;
import io.smallrye.mutiny.Uni;

/**
 * Reads lanes as items of the table. Existing lanes have the lowest numbers and are never deleted, so it reads the known
 * ones and one more, and goes on only if that exists as well.
 */
public final class DynamoLaneReader {

    private final ItemReader items;
    private volatile int known;

    /** @param items retries transient failures */
    public DynamoLaneReader(ItemReader items) {
        this.items = items;
    }

    /** Reads all existing lanes, with strong consistency; none in a table without a journal. */
    public Uni<List<Lane>> read() {
        return Uni.createFrom().deferred(() -> read(List.of(), 0, known + 1));
    }

    /**
     * Reads further lanes.
     *
     * @param lanes the lanes read so far
     * @param from number of the first lane to read, inclusive
     * @param to number of the last lane to read, exclusive
     */
    private Uni<List<Lane>> read(List<Lane> lanes, int from, int to) {
        int end = Math.min(to, TableSchema.MAX_LANES);
        List<ItemKey> keys = IntStream.range(from, end)
                .mapToObj(lane -> new ItemKey(TableSchema.lanePartitionKey(lane), TableSchema.LANE_SK)).toList();
        return items.read(keys, LaneCodec.ATTRIBUTES, true).onItem().transformToUni(found -> {
            List<Lane> all = new ArrayList<>(lanes);
            found.texts().stream().map(DynamoLaneReader::lane).forEach(all::add);
            all.sort((a, b) -> Integer.compare(a.number(), b.number()));
            // There may be gaps, as items can be lost.
            int highest = all.isEmpty() ? -1 : all.get(all.size() - 1).number();
            if (highest == end - 1 && end < TableSchema.MAX_LANES) {
                return read(all, end, 2 * end);
            }
            known = Math.max(known, highest + 1);
            return Uni.createFrom().item(all);
        });
    }

    /** @throws GatherException if it is malformed: it may have claimed anything, so the others prove nothing without it */
    private static Lane lane(Map<String, String> texts) {
        try {
            return LaneCodec.decode(TableSchema.laneNumber(texts.getOrDefault(TableSchema.PK, "")), new Texts(texts));
        } catch (IllegalArgumentException e) {
            throw new GatherException(Reason.UNAVAILABLE, e);
        }
    }

    /** Attributes as text, numbers included. */
    private record Texts(Map<String, String> texts) implements LaneCodec.Attributes {

        @Override
        public long number(String attribute) {
            return Long.parseLong(texts.getOrDefault(attribute, "0"));
        }

        @Override
        public String text(String attribute) {
            return texts.getOrDefault(attribute, "");
        }
    }
}
