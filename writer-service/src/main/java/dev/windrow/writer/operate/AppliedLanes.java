package dev.windrow.writer.operate;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

import dev.windrow.table.Lane;
import dev.windrow.table.TableSchema;
import dev.windrow.writer.operate.TableSweep.Time;
import dev.windrow.writer.operate.WriterMain.CommandClients;
import dev.windrow.writer.table.DynamoTable;
import dev.windrow.writer.table.JournalItems;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Waits until all lanes have applied what they had claimed: until then, writers may create items. */
record AppliedLanes(DynamoDbAsyncClient dynamoDb, String table, Duration longestWait, Time time) {

    private static final Duration POLL = Duration.ofSeconds(5);
    /** Writers give up a request after their time-out, and it may arrive nevertheless. */
    private static final Duration IN_FLIGHT = DynamoTable.TIMEOUT.multipliedBy(2);

    /**
     * The lanes that are behind after the longest wait, with the reason; none if all have come to where they were noted.
     */
    List<String> await() {
        Map<Integer, Lane> noted = read();
        long startNanos = time.nanos();
        for (Map<Integer, Lane> now = noted;; now = read()) {
            Map<Integer, Lane> latest = now;
            List<String> behind = noted.values().stream()
                    .map(lane -> behind(lane, latest.getOrDefault(lane.number(), lane))).flatMap(Optional::stream).toList();
            Duration left = longestWait.minusNanos(time.nanos() - startNanos);
            if (!behind.isEmpty() && (left.isNegative() || left.isZero())) {
                return behind;
            }
            if (behind.isEmpty()) {
                time.pause(IN_FLIGHT);
                return behind;
            }
            time.pause(left.compareTo(POLL) < 0 ? left : POLL);
        }
    }

    private Map<Integer, Lane> read() {
        Map<Integer, CompletableFuture<Lane>> reads = new TreeMap<>();
        for (int number = 0; number < Lane.MAX_LANES; number++) {
            int lane = number;
            Map<String, AttributeValue> key = JournalItems.key(TableSchema.lanePartitionKey(lane), TableSchema.LANE_SK);
            reads.put(lane, dynamoDb.getItem(get -> get.tableName(table).key(key).consistentRead(true))
                    .thenApply(found -> JournalItems.lane(lane, found.item())));
        }
        Map<Integer, Lane> lanes = new TreeMap<>();
        reads.forEach((number, read) -> {
            Lane lane = CommandClients.await(read);
            if (lane.epoch() > 0 || !lane.isReadable()) {
                lanes.put(number, lane);
            }
        });
        return lanes;
    }

    /** What of the records that a lane had at first is not in its buckets now; empty if all is. */
    private static Optional<String> behind(Lane noted, Lane now) {
        String lane = "lane " + noted.number() + (now.holder().isEmpty() ? "" : " (held by " + now.holder() + ")");
        long last = noted.position();
        if (!now.isReadable() || !noted.isReadable()) {
            return Optional.of(lane + " cannot be read (" + (now.isReadable() ? noted : now).damage() + ")");
        }
        if (now.applied() < last) {
            return Optional.of(lane + " is applied up to position " + now.applied() + " of " + last);
        }
        if (now.deferred() > now.applied()) {
            // The record of later position has what buckets lack of earlier ones.
            return Optional.of(lane + " has put off additions that items have not taken");
        }
        boolean parked = now.parkings().stream().anyMatch(parking -> !parking.sent() && parking.first() <= last);
        return parked ? Optional.of(lane + " has additions to send to the dead-letter queue") : Optional.empty();
    }
}
