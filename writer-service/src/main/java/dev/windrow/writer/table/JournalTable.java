package dev.windrow.writer.table;

import static java.time.temporal.ChronoUnit.MILLIS;

import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import jakarta.enterprise.util.TypeLiteral;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.Joined;
import dev.windrow.base.Reason;
import dev.windrow.table.Lane;
import dev.windrow.table.TableSchema;
import dev.windrow.writer.journal.Request;
import dev.windrow.writer.journal.Request.Answer;
import dev.windrow.writer.journal.Request.TableRequest;
import io.smallrye.faulttolerance.api.CustomBackoffStrategy;
import io.smallrye.faulttolerance.api.TypedGuard;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniSubscription;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Carries out the journal's requests on the table. Retries each until it has a definite answer, except bucket updates. Writes
 * of a lane's item do not queue behind bucket updates, because they are the holder's heartbeat. Thread-safe.
 */
public final class JournalTable implements JournalRequests, Request.Table {

    private static final int CONCURRENT_READS = 8;
    /** Short, because after most failures DynamoDB responds within a few milliseconds again. */
    private static final Duration FIRST_PAUSE = Duration.ofMillis(25);
    private static final Duration MAX_PAUSE = Duration.ofSeconds(2);
    private static final int FOREVER = -1;
    private static final TypeLiteral<Uni<Object>> ANSWER = new TypeLiteral<>() {
    };

    private final TableClient updates;
    private final TableClient lanes;
    private final TableReads reads;
    private final TypedGuard<Uni<Object>> retries;
    private final Executor eventLoop;
    private final DeclaredAttributes declared;
    private volatile DeclaredAttributes known;

    /**
     * @param updates makes one attempt at a bucket update
     * @param lanes makes one attempt at a write of the journal's own items
     * @param eventLoop runs tasks in one Vert.x context of an event loop
     * @param random draws the pauses between retries
     */
    public JournalTable(TableClient updates, TableClient lanes, TableReads reads, DeclaredAttributes declared,
            Executor eventLoop, RandomGenerator random) {
        this.updates = updates;
        this.lanes = lanes;
        this.reads = reads;
        this.eventLoop = eventLoop;
        this.declared = declared;
        this.known = declared;
        this.retries = TypedGuard.create(ANSWER).withDescription("requests of the journal")
                .withRetry().maxRetries(FOREVER).maxDuration(0, MILLIS).delay(0, MILLIS).jitter(0, MILLIS)
                .whenException(failure -> failure instanceof WriteFailedException)
                .withCustomBackoff().strategy(() -> new FullJitter(random)).done()
                .done().build();
    }

    @Override
    public <A extends Answer> Uni<A> send(TableRequest<A> request) {
        return Uni.createFrom().completionStage(() -> request.sendTo(this));
    }

    @Override
    public CompletionStage<Answer.OfUpdate> sums(Request.ApplySums sums) {
        return update(JournalItems.sums(sums, known), item -> JournalItems.done(sums, item),
                item -> new Answer.AppliedUpTo(JournalItems.position(sums.lane(), item)));
    }

    @Override
    public CompletionStage<Answer.OfUpdate> extreme(Request.ApplyExtreme extreme) {
        return update(JournalItems.extreme(extreme, known), item -> Answer.DONE,
                item -> JournalItems.lost(extreme.change(), item));
    }

    /** Attempts a bucket update once. The journal repeats it, because it knows what else is waiting to be sent. */
    private CompletionStage<Answer.OfUpdate> update(ItemUpdate update,
            Function<Map<String, AttributeValue>, Answer.OfUpdate> done,
            Function<Map<String, AttributeValue>, Answer.OfUpdate> refused) {
        return Uni.createFrom().deferred(() -> updates.write(TableWrite.single(update)))
                .map(receipt -> done.apply(receipt.item()))
                .onFailure(ConditionFailedException.class)
                .recoverWithItem(failure -> refused.apply(item(failure, 0)))
                .onFailure(WriteFailedException.class).recoverWithItem(JournalTable::failed)
                // The item has values that no writer wrote; parking its additions shows whether they were applied.
                .onFailure(failure -> failure instanceof RuntimeException && !(failure instanceof WriteFailedException))
                .recoverWithItem(failure -> new Answer.Refused(Reason.INTERNAL, failure.toString()))
                .subscribeAsCompletionStage();
    }

    private static Answer.OfUpdate failed(WriteFailedException failure) {
        if (failure.isRetryable()) {
            return new Answer.TryAgain();
        }
        return failure.isDenied() ? new Answer.Denied(failure.reason(), failure.detail())
                : new Answer.Refused(failure.reason(), failure.detail());
    }

    @Override
    public CompletionStage<Answer.Cut> cut(Request.CutSlots cut) {
        return single(JournalItems.cut(cut), JournalItems::cut).subscribeAsCompletionStage();
    }

    /** Updates one of the journal's own items, retrying until it succeeds. */
    private <A extends Answer> Uni<A> single(ItemUpdate update, Function<Map<String, AttributeValue>, A> reader) {
        return untilAnswered(Uni.createFrom().deferred(() -> lanes.write(TableWrite.single(update)))
                .map(receipt -> reader.apply(receipt.item()))
                .onFailure(ConditionFailedException.class)
                .recoverWithItem(failure -> reader.apply(item(failure, 0))));
    }

    @Override
    public CompletionStage<Answer.OfWrite> renew(Request.RenewLane renew) {
        ItemUpdate lane = JournalItems.write(renew.update());
        return untilAnswered(write(List.of(renew.releases() ? lane.remove(TableSchema.LANE_HOLDER) : lane))
                .onFailure(ConditionFailedException.class)
                .recoverWithItem(failure -> new Answer.LaneIs(JournalItems.lane(renew.update().lane(), item(failure, 0)))))
                .subscribeAsCompletionStage();
    }

    @Override
    public CompletionStage<Answer.OfWrite> claim(Request.ClaimMessages claim) {
        List<ItemUpdate> items = new ArrayList<>();
        items.add(JournalItems.claim(claim));
        for (int i = 0; i < claim.chunks().size(); i++) {
            items.add(JournalItems.chunk(claim, i));
        }
        int firstSlot = items.size();
        claim.slots().forEach(slot -> items.add(JournalItems.slot(slot)));
        return untilAnswered(write(items)
                .onFailure(ConditionFailedException.class)
                .recoverWithItem(failure -> new Answer.ClaimRefused(lane(claim, failure),
                        IntStream.range(0, claim.slots().size())
                                .filter(i -> isIn(failure, firstSlot + i))
                                .mapToObj(i -> JournalItems.content(claim.slots().get(i).slot(), item(failure, firstSlot + i)))
                                .toList()))
                .onFailure(failure -> isForGood(failure, false)).recoverWithItem(JournalTable::refused))
                .subscribeAsCompletionStage();
    }

    @Override
    public CompletionStage<Answer.OfWrite> park(Request.ParkItem park) {
        Request.ParkItem.Mark mark = park.mark();
        ItemUpdate lane = JournalItems.write(park.update());
        int number = park.update().lane();
        return untilAnswered(write(List.of(lane, JournalItems.mark(number, mark, known)))
                .onFailure(ConditionFailedException.class).recoverWithItem(failure -> {
                    Lane found = lane(park, failure);
                    return found == null ? marked(number, item(failure, 1)) : new Answer.LaneIs(found);
                })
                .onFailure(failure -> isForGood(failure, true)).recoverWithItem(JournalTable::refused))
                .subscribeAsCompletionStage();
    }

    private Uni<Answer.OfWrite> write(List<ItemUpdate> items) {
        return Uni.createFrom().deferred(() -> lanes.write(new TableWrite(items))).map(receipt -> Answer.DONE);
    }

    /** Whether the transaction can never be applied. {@code denied} says whether denied access counts as permanent. */
    private static boolean isForGood(Throwable failure, boolean denied) {
        return failure instanceof WriteFailedException refused && !refused.isRetryable() && (denied || !refused.isDenied());
    }

    private static Answer.OfWrite refused(Throwable failure) {
        WriteFailedException refused = (WriteFailedException) failure;
        return new Answer.Refused(refused.reason(), refused.detail());
    }

    /** The current state of the lane if its condition failed, else null. */
    private static @Nullable Lane lane(Request.LaneWrite write, Throwable failure) {
        return isIn(failure, 0) ? JournalItems.lane(write.update().lane(), item(failure, 0)) : null;
    }

    /** The lane's position in a bucket that could not be marked, or a refusal if that is not a whole number. */
    private static Answer.OfWrite marked(int lane, Map<String, AttributeValue> bucket) {
        try {
            return new Answer.AppliedUpTo(JournalItems.position(lane, bucket));
        } catch (IllegalArgumentException e) {
            return new Answer.Refused(Reason.INTERNAL, e.toString());
        }
    }

    /** Also reads the registered leaderboards if the lane has work: only other writers may declare its records' datasets. */
    @Override
    public CompletionStage<Answer.LaneIs> acquire(Request.AcquireLane acquire) {
        return single(JournalItems.acquire(acquire), item -> new Answer.LaneIs(JournalItems.lane(acquire.lane(), item)))
                .chain(acquired -> acquired.lane().hasWork()
                        ? untilAnswered(readRegistered().replaceWith(acquired))
                        : Uni.createFrom().item(acquired))
                .subscribeAsCompletionStage();
    }

    private Uni<?> readRegistered() {
        return Uni.createFrom().deferred(() -> reads.read(TableSchema.DATASETS_PK, TableSchema.DATASETS_SK))
                .invoke(registry -> known = declared.withRegistered(registry));
    }

    @Override
    public CompletionStage<Answer.Lanes> readLanes(Request.ReadLanes read) {
        return untilAnswered(Joined.all(IntStream.range(0, read.count()).mapToObj(this::readLane).toList(), CONCURRENT_READS)
                .map(lanes -> new Answer.Lanes(
                        lanes.stream().filter(lane -> lane.epoch() > 0 || !lane.isReadable()).toList())))
                .subscribeAsCompletionStage();
    }

    private Uni<Lane> readLane(int number) {
        return Uni.createFrom().deferred(() -> reads.read(TableSchema.lanePartitionKey(number),
                TableSchema.LANE_SK)).map(item -> JournalItems.lane(number, item));
    }

    /** Reads the first chunk, which has the number of chunks, and then the others. */
    @Override
    public CompletionStage<Answer.StoredRecord> readRecord(Request.ReadRecord read) {
        String key = JournalItems.recordKey(read.lane(), read.position());
        return untilAnswered(chunk(key, 0).chain(first -> {
            List<Uni<StoredItem>> others = LongStream.range(1, JournalItems.chunks(first))
                    .mapToObj(number -> chunk(key, number)).toList();
            return others.isEmpty() ? Uni.createFrom().item(List.of(first))
                    : Joined.all(others).map(rest -> Stream.concat(Stream.of(first), rest.stream()).toList());
        }).map(chunks -> new Answer.StoredRecord(joined(chunks)))).subscribeAsCompletionStage();
    }

    private Uni<StoredItem> chunk(String record, long number) {
        return Uni.createFrom().deferred(() -> reads.read(record, Long.toString(number))).map(StoredItem::new);
    }

    private static byte @Nullable [] joined(List<StoredItem> chunks) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (StoredItem chunk : chunks) {
            byte[] data = chunk.bytes(JournalItems.DATA);
            if (data == null) {
                return null;
            }
            bytes.writeBytes(data);
        }
        return bytes.toByteArray();
    }

    /**
     * Retries without limit, since giving up would only mean receiving the same messages again. On an event loop, to which
     * SmallRye brings all starts and outcomes of attempts: elsewhere, its loop of retries (FutureLoop of 6.10) loses an outcome
     * that another thread delivers while the loop is returning from the attempt's start.
     */
    @SuppressWarnings("unchecked")
    private <A> Uni<A> untilAnswered(Uni<A> once) {
        return Uni.createFrom().deferred(() -> {
            // Otherwise the attempt in flight and the retries would go on after a cancellation.
            AtomicBoolean cancelled = new AtomicBoolean();
            AtomicReference<@Nullable UniSubscription> attempt = new AtomicReference<>();
            Uni<Object> attempts = (Uni<Object>) once.onSubscription().invoke(begun -> {
                attempt.set(begun);
                endIf(cancelled.get(), begun);
            });
            return (Uni<A>) retries
                    .get(() -> cancelled.get() ? Uni.createFrom().failure(new CancellationException()) : attempts)
                    .runSubscriptionOn(eventLoop)
                    .onCancellation().invoke(() -> {
                        cancelled.set(true);
                        endIf(true, attempt.get());
                    });
        });
    }

    private static void endIf(boolean cancelled, @Nullable UniSubscription attempt) {
        if (cancelled && attempt != null) {
            attempt.cancel();
        }
    }

    /** Backoff with full jitter: pauses uniform between 0 and a bound that doubles up to a maximum, to spread out retries. */
    private static final class FullJitter implements CustomBackoffStrategy {

        private final RandomGenerator random;
        private long boundMillis = FIRST_PAUSE.toMillis();

        FullJitter(RandomGenerator random) {
            this.random = random;
        }

        @Override
        public long nextDelayInMillis(Throwable failure) {
            long pause = random.nextLong(boundMillis + 1);
            boundMillis = Math.min(2 * boundMillis, MAX_PAUSE.toMillis());
            return pause;
        }
    }

    private static boolean isIn(Throwable failure, int position) {
        return ((ConditionFailedException) failure).items().containsKey(position);
    }

    private static Map<String, AttributeValue> item(Throwable failure, int position) {
        return ((ConditionFailedException) failure).items().getOrDefault(position, Map.of());
    }
}
