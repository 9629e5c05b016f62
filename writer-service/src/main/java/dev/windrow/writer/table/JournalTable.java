package dev.windrow.writer.table;

import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.Joined;
import dev.windrow.base.Reason;
import dev.windrow.table.TableSchema;
import dev.windrow.writer.journal.Lane;
import dev.windrow.writer.journal.Request;
import dev.windrow.writer.journal.Request.Answer;
import dev.windrow.writer.table.JournalItems.BucketItems;
import dev.windrow.writer.table.JournalItems.ClaimItems;
import dev.windrow.writer.table.JournalItems.StoredItem;
import dev.windrow.writer.table.JournalRun.JournalRequests;
import dev.windrow.writer.table.TableWrites.ConditionFailedException;
import dev.windrow.writer.table.TableWrites.TableReads;
import dev.windrow.writer.table.TableWrites.TableWrite;
import dev.windrow.writer.table.TableWrites.WriteFailedException;
import io.smallrye.mutiny.Uni;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Carries out the journal's requests on the table, each until it has a definite answer. Writes of a lane's item do not
 * queue behind updates of buckets: they are the holder's heartbeat. Thread-safe.
 */
public final class JournalTable implements JournalRequests {

    private static final int CONCURRENT_READS = 8;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration MAX_PAUSE = Duration.ofSeconds(2);

    private final TableWrites updates;
    private final TableWrites lanes;
    private final TableReads reads;
    private final RankKeys declared;
    private volatile RankKeys ranks;

    /**
     * @param updates of buckets, one attempt each
     * @param lanes for writes of lanes and cuts; retries what may succeed soon
     * @param reads one attempt each
     * @param declared the leaderboards of the buckets that this writer claims
     */
    public JournalTable(TableWrites updates, TableWrites lanes, TableReads reads, RankKeys declared) {
        this.updates = updates;
        this.lanes = lanes;
        this.reads = reads;
        this.declared = declared;
        this.ranks = declared;
    }

    @Override
    public Uni<Answer> send(Request request) {
        if (request instanceof Request.ApplySums sums) {
            return update(BucketItems.sums(sums, ranks), item -> BucketItems.done(sums, item),
                    item -> new Answer.AppliedUpTo(BucketItems.position(sums.lane(), item)));
        }
        if (request instanceof Request.ApplyExtreme extreme) {
            return update(BucketItems.extreme(extreme, ranks), item -> Answer.DONE, item -> Answer.DONE);
        }
        if (request instanceof Request.LaneWrite write) {
            return laneWrite(write);
        }
        if (request instanceof Request.AcquireLane acquire) {
            return acquire(acquire);
        }
        if (request instanceof Request.CutSlots cut) {
            return single(ClaimItems.cut(cut), ClaimItems::cut);
        }
        if (request instanceof Request.ReadLanes read) {
            return readLanes(read.count());
        }
        if (request instanceof Request.ReadRecord read) {
            return readRecord(read);
        }
        throw new IllegalArgumentException("expected a request of the table, found " + request.getClass().getSimpleName());
    }

    /** Makes the answer to a request from an item. */
    private interface Reader {

        Answer answer(Map<String, AttributeValue> item);
    }

    /** An update of a bucket, once: the journal repeats it, as it knows what else there is to send. */
    private Uni<Answer> update(ItemUpdate update, Reader done, Reader refused) {
        return Uni.createFrom().deferred(() -> updates.write(TableWrite.single(update)))
                .map(receipt -> done.answer(receipt.item()))
                .onFailure(ConditionFailedException.class)
                .recoverWithItem(failure -> refused.answer(item(failure, 0)))
                .onFailure(WriteFailedException.class).recoverWithItem(JournalTable::failed)
                // An item with values that are not ours; parking its additions shows whether they were added.
                .onFailure(failure -> failure instanceof RuntimeException && !(failure instanceof WriteFailedException))
                .recoverWithItem(failure -> new Answer.Refused(Reason.INTERNAL, failure.toString()));
    }

    private static Answer failed(WriteFailedException failure) {
        if (failure.isRetryable()) {
            return new Answer.NotYet();
        }
        return failure.isDenied() ? new Answer.Denied(failure.reason(), failure.detail())
                : new Answer.Refused(failure.reason(), failure.detail());
    }

    /** An update of the journal's own items, which must succeed eventually. */
    private Uni<Answer> single(ItemUpdate update, Reader reader) {
        return untilAnswered(Uni.createFrom().deferred(() -> lanes.write(TableWrite.single(update)))
                .map(receipt -> reader.answer(receipt.item()))
                .onFailure(ConditionFailedException.class)
                .recoverWithItem(failure -> reader.answer(item(failure, 0))));
    }

    private Uni<Answer> laneWrite(Request.LaneWrite write) {
        List<ItemUpdate> items = items(write);
        TableWrite request = items.size() == 1 ? TableWrite.single(items.get(0)) : TableWrite.transaction(items);
        return untilAnswered(Uni.createFrom().deferred(() -> lanes.write(request)).map(receipt -> Answer.DONE)
                .onFailure(ConditionFailedException.class)
                .recoverWithItem(failure -> conditionFailed(write, failure))
                .onFailure(failure -> failure instanceof WriteFailedException refused && isForGood(write, refused))
                .recoverWithItem(failure -> new Answer.Refused(((WriteFailedException) failure).reason(),
                        ((WriteFailedException) failure).detail())));
    }

    /** Whether a part of a transaction other than the lane's can never be applied. */
    private static boolean isForGood(Request.LaneWrite write, WriteFailedException failure) {
        boolean claim = write instanceof Request.ClaimMessages && !failure.isDenied();
        boolean mark = write instanceof Request.ParkItem park && park.mark() != null;
        return (claim || mark) && !failure.isRetryable();
    }

    private static List<ItemUpdate> items(Request.LaneWrite write) {
        List<ItemUpdate> items = new ArrayList<>();
        if (write instanceof Request.ClaimMessages claim) {
            items.add(JournalItems.claim(claim));
            for (int i = 0; i < claim.chunks().size(); i++) {
                items.add(ClaimItems.chunk(claim, i));
            }
            claim.slots().forEach(slot -> items.add(ClaimItems.slot(slot)));
        } else if (write instanceof Request.ReleaseLane) {
            items.add(JournalItems.release(write.update()));
        } else {
            items.add(JournalItems.write(write.update()));
        }
        if (write instanceof Request.ParkItem park && park.mark() != null) {
            items.add(BucketItems.mark(park.update().lane(), park.mark()));
        }
        return items;
    }

    private static Answer conditionFailed(Request.LaneWrite write, ConditionFailedException failure) {
        boolean laneFailed = failure.items().containsKey(0);
        @Nullable
        Lane lane = laneFailed ? JournalItems.lane(write.update().lane(), item(failure, 0)) : null;
        if (write instanceof Request.ClaimMessages claim) {
            int first = 1 + claim.chunks().size();
            return new Answer.ClaimRefused(lane, IntStream.range(0, claim.slots().size())
                    .filter(i -> failure.items().containsKey(first + i))
                    .mapToObj(i -> ClaimItems.content(claim.slots().get(i).slot(), item(failure, first + i))).toList());
        }
        return lane == null ? marked(write.update().lane(), item(failure, 1)) : new Answer.LaneIs(lane);
    }

    /** What a bucket that was not marked has; one whose position of the lane is none cannot be marked. */
    private static Answer marked(int lane, Map<String, AttributeValue> bucket) {
        try {
            return new Answer.AppliedUpTo(BucketItems.position(lane, bucket));
        } catch (IllegalArgumentException e) {
            return new Answer.Refused(Reason.INTERNAL, e.toString());
        }
    }

    /** A lane with work may hold records of datasets that only other writers declare: their leaderboards are read first. */
    private Uni<Answer> acquire(Request.AcquireLane acquire) {
        return single(JournalItems.acquire(acquire), item -> new Answer.LaneIs(JournalItems.lane(acquire.lane(), item)))
                .chain(acquired -> ((Answer.LaneIs) acquired).lane().hasWork()
                        ? untilAnswered(readRegistered().replaceWith(acquired))
                        : Uni.createFrom().item(acquired));
    }

    private Uni<?> readRegistered() {
        return Uni.createFrom().deferred(() -> reads.read(TableSchema.DATASETS_PK, TableSchema.DATASETS_SK))
                .invoke(registry -> ranks = declared.withRegistered(registry));
    }

    private Uni<Answer> readLanes(int count) {
        return untilAnswered(Joined.all(IntStream.range(0, count).mapToObj(this::readLane).toList(), CONCURRENT_READS)
                .map(lanes -> new Answer.LanesAre(
                        lanes.stream().filter(lane -> lane.epoch() > 0 || !lane.isReadable()).toList())));
    }

    private Uni<Lane> readLane(int number) {
        return Uni.createFrom().deferred(() -> reads.read(TableSchema.lanePartitionKey(number),
                TableSchema.LANE_SK)).map(item -> JournalItems.lane(number, item));
    }

    /** Reads the first chunk, which says how many there are, and then the others. */
    private Uni<Answer> readRecord(Request.ReadRecord read) {
        String key = ClaimItems.recordKey(read.lane(), read.position());
        return untilAnswered(chunk(key, 0).chain(first -> {
            List<Uni<StoredItem>> others = LongStream.range(1, ClaimItems.chunks(first))
                    .mapToObj(number -> chunk(key, number)).toList();
            return others.isEmpty() ? Uni.createFrom().item(List.of(first))
                    : Joined.all(others).map(rest -> {
                        List<StoredItem> all = new ArrayList<>(List.of(first));
                        all.addAll(rest);
                        return all;
                    });
        }).map(chunks -> new Answer.RecordIs(joined(chunks))));
    }

    private Uni<StoredItem> chunk(String record, long number) {
        return Uni.createFrom().deferred(() -> reads.read(record, ClaimItems.chunkKey(number))).map(StoredItem::new);
    }

    private static byte @Nullable [] joined(List<StoredItem> chunks) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (StoredItem chunk : chunks) {
            byte[] data = chunk.bytes(ClaimItems.DATA);
            if (data == null) {
                return null;
            }
            bytes.writeBytes(data);
        }
        return bytes.toByteArray();
    }

    private static Uni<Answer> untilAnswered(Uni<? extends Answer> once) {
        return once.<Answer> map(answer -> answer).onFailure(WriteFailedException.class).retry()
                .withBackOff(FIRST_PAUSE, MAX_PAUSE).indefinitely();
    }

    private static Map<String, AttributeValue> item(Throwable failure, int position) {
        return ((ConditionFailedException) failure).items().getOrDefault(position, Map.of());
    }
}
