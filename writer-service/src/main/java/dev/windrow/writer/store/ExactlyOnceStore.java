package dev.windrow.writer.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.windrow.reason.Reason;
import dev.windrow.writer.aggregate.BucketUpsert;
import dev.windrow.writer.aggregate.LedgerId;
import dev.windrow.writer.aggregate.SeriesBatch;
import dev.windrow.writer.aggregate.Share;
import dev.windrow.writer.aggregate.ShareOutcome;
import io.smallrye.mutiny.Uni;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Update;

/**
 * Upserts and the ledger's notes of what they hold, in one transaction per series: all of it applies, or none. Whatever
 * happens to the answer, repeating it is harmless: the ledger knows. If it knows some of the shares already, those are
 * dropped and the rest is tried again. Transactions of a series follow one another, in order.
 */
public final class ExactlyOnceStore implements BucketStore {

    private final TableWrites writes;
    private final BucketUpdates updates;
    private final Ledger ledger;
    private final Extremes extremes;

    public ExactlyOnceStore(TableWrites writes, BucketUpdates updates, Ledger ledger, KnownExtremes known) {
        this.writes = writes;
        this.updates = updates;
        this.ledger = ledger;
        this.extremes = new Extremes(writes, updates, known);
    }

    /**
     * Extremes go first, for all shares: they may be applied twice, but a share that the ledger knows must not lack them.
     */
    @Override
    public Uni<List<ShareOutcome>> apply(SeriesBatch batch) {
        Application application = new Application(batch);
        return Uni.createFrom().deferred(() -> extremes.write(batch))
                .chain(application::nextTransaction)
                .onFailure().recoverWithItem(application::fail)
                .map(ignored -> application.outcomes());
    }

    /** The application of one batch, transaction by transaction. */
    private final class Application {

        private final SeriesBatch batch;
        /** By id; null as long as it is not settled. */
        private final Map<LedgerId, @Nullable ShareOutcome> settled;
        private final Iterator<List<Share>> transactions;
        private @Nullable ShareOutcome failed;

        Application(SeriesBatch batch) {
            this.batch = batch;
            this.settled = new HashMap<>(2 * batch.shares().size());
            this.transactions = Transactions.split(distinct(batch.shares())).iterator();
        }

        /** A message that was delivered twice may be in the batch twice. */
        private List<Share> distinct(List<Share> shares) {
            List<Share> distinct = new ArrayList<>(shares.size());
            for (Share share : shares) {
                int before = settled.size();
                settled.put(share.ledgerId(), null);
                if (settled.size() > before) {
                    distinct.add(share);
                }
            }
            return distinct;
        }

        Uni<Void> nextTransaction() {
            return transactions.hasNext() ? transact(transactions.next()).chain(this::nextTransaction)
                    : Uni.createFrom().voidItem();
        }

        private Uni<Void> transact(List<Share> shares) {
            if (shares.isEmpty()) {
                return Uni.createFrom().voidItem();
            }
            List<Ledger.Slot> slots = Ledger.slots(shares);
            List<Update> items = new ArrayList<>();
            for (BucketUpsert upsert : SeriesBatch.upserts(shares)) {
                Update update = updates.additive(batch.plan(), batch.series(), batch.partitionKey(), upsert);
                if (update != null) {
                    items.add(update);
                }
            }
            if (items.isEmpty()) {
                // Nothing that would count twice.
                settle(shares, ShareOutcome.APPLIED);
                return Uni.createFrom().voidItem();
            }
            slots.forEach(slot -> items.add(ledger.note(batch.partitionKey(), slot)));
            int upserts = items.size() - slots.size();
            return writes.write(TableWrite.transaction(items))
                    .invoke(() -> settle(shares, ShareOutcome.APPLIED)).replaceWithVoid()
                    .onFailure(ConditionFailedException.class).recoverWithUni(failure -> transact(
                            withoutDuplicates(shares, slots, upserts, failure)));
        }

        private List<Share> withoutDuplicates(List<Share> shares, List<Ledger.Slot> slots, int upserts,
                ConditionFailedException failure) {
            Map<Ledger.Time, Set<Long>> known = new HashMap<>();
            failure.items().forEach((position, item) -> known.put(slots.get(position - upserts).time(), ids(item)));
            List<Share> rest = new ArrayList<>();
            List<Share> duplicates = new ArrayList<>();
            for (Share share : shares) {
                boolean duplicate = known.getOrDefault(Ledger.Time.of(share.ledgerId()), Set.of())
                        .contains(share.ledgerId().hash());
                (duplicate ? duplicates : rest).add(share);
            }
            if (duplicates.isEmpty()) {
                throw new WriteFailedException(Reason.UNAVAILABLE, "a ledger slot refused ids that it does not hold");
            }
            settle(duplicates, ShareOutcome.DUPLICATE);
            return rest;
        }

        private Set<Long> ids(Map<String, AttributeValue> item) {
            return item.isEmpty() ? new HashSet<>() : Ledger.ids(item);
        }

        private void settle(List<Share> shares, ShareOutcome outcome) {
            shares.forEach(share -> settled.put(share.ledgerId(), outcome));
        }

        /** What was not settled before the failure shares it: later shares must not overtake earlier ones. */
        private Void fail(Throwable failure) {
            failed = Failures.of(failure);
            return null;
        }

        /** A share that was twice in the batch was applied once; the second one is its duplicate. */
        List<ShareOutcome> outcomes() {
            List<ShareOutcome> outcomes = new ArrayList<>(batch.shares().size());
            for (Share share : batch.shares()) {
                ShareOutcome outcome = settled.get(share.ledgerId());
                if (outcome == null) {
                    outcomes.add(Objects.requireNonNull(failed, "a share was neither settled nor failed"));
                } else {
                    outcomes.add(outcome);
                    settled.put(share.ledgerId(), ShareOutcome.DUPLICATE);
                }
            }
            return outcomes;
        }
    }
}
