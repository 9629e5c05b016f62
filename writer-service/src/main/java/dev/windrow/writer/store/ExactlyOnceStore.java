package dev.windrow.writer.store;

import java.util.ArrayList;
import java.util.Arrays;
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
import dev.windrow.writer.aggregate.Contribution;
import dev.windrow.writer.aggregate.LedgerId;
import dev.windrow.writer.aggregate.SeriesBatch;
import dev.windrow.writer.inflight.pending.ContributionOutcome;
import io.smallrye.mutiny.Uni;

/**
 * Upserts and the ledger's notes of what they hold, in one transaction per series: all of it applies, or none. Whatever
 * happens to the answer, repeating it is harmless: the ledger knows. If it knows some of the shares already, those are
 * dropped and the rest is tried again. Transactions of a series follow one another, in order.
 */
public final class ExactlyOnceStore implements BucketStore {

    /** A table is emptied or restored once in a while, not several times during one write. */
    static final int MAX_RESTORES = 5;

    private final TableWrites writes;
    private final BucketUpdates updates;
    private final Ledger ledger;
    private final Extremes extremes;

    public ExactlyOnceStore(TableWrites writes, BucketUpdates updates, Ledger ledger, ExtremesCache known) {
        this.writes = writes;
        this.updates = updates;
        this.ledger = ledger;
        this.extremes = new Extremes(writes, updates, known);
    }

    /**
     * Extremes go first, for all shares: they may be applied twice, but a share that the ledger knows must not lack them.
     */
    @Override
    public Uni<List<ContributionOutcome>> apply(SeriesBatch batch) {
        Application application = new Application(batch);
        return Uni.createFrom().deferred(() -> extremes.write(batch))
                .chain(application::nextTransaction)
                .onFailure().recoverWithItem(application::fail)
                .map(ignored -> application.outcomes());
    }

    /** The application of one batch, transaction by transaction. */
    private final class Application {

        private final SeriesBatch batch;
        /** In the order of the batch. */
        private final List<Contribution> distinct;
        /** Their positions by id; nothing if no share repeats another. */
        private final Map<LedgerId, Integer> positions = new HashMap<>();
        private final Iterator<List<Contribution>> transactions;
        /** How many of the distinct shares are settled, from the first one on. */
        private int settled;
        /** What the table held before. */
        private final Set<LedgerId> duplicates = new HashSet<>();
        private @Nullable ContributionOutcome failed;
        /** How often items had lost the extremes that they were thought to hold. */
        private int restores;

        Application(SeriesBatch batch) {
            this.batch = batch;
            this.distinct = distinct(batch.shares());
            this.transactions = Transactions.split(distinct).iterator();
        }

        /** A message that was delivered twice may be in the batch twice. */
        private List<Contribution> distinct(List<Contribution> shares) {
            if (!mayRepeat(shares)) {
                return shares;
            }
            List<Contribution> firsts = new ArrayList<>(shares.size());
            for (Contribution share : shares) {
                if (positions.putIfAbsent(share.ledgerId(), firsts.size()) == null) {
                    firsts.add(share);
                }
            }
            return firsts;
        }

        /** By numbers alone: a map for each batch would cost more than all else here, and mostly none repeats. */
        private static boolean mayRepeat(List<Contribution> shares) {
            long[] hashes = new long[shares.size()];
            for (int i = 0; i < hashes.length; i++) {
                hashes[i] = shares.get(i).ledgerId().hash();
            }
            Arrays.sort(hashes);
            for (int i = 1; i < hashes.length; i++) {
                if (hashes[i] == hashes[i - 1]) {
                    return true;
                }
            }
            return false;
        }

        Uni<Void> nextTransaction() {
            if (!transactions.hasNext()) {
                return Uni.createFrom().voidItem();
            }
            List<Contribution> shares = transactions.next();
            return transact(shares).invoke(() -> settled += shares.size()).chain(this::nextTransaction);
        }

        private Uni<Void> transact(List<Contribution> shares) {
            if (shares.isEmpty()) {
                return Uni.createFrom().voidItem();
            }
            List<Ledger.Slot> slots = Ledger.slots(shares);
            List<ItemUpdate> items = new ArrayList<>();
            List<BucketUpsert> upserts = new ArrayList<>();
            for (BucketUpsert upsert : SeriesBatch.upserts(shares)) {
                BucketUpdate update = updates.additive(batch.plan(), batch.series(), batch.partitionKey(), upsert);
                if (update != null) {
                    items.add(update);
                    upserts.add(upsert);
                }
            }
            if (items.isEmpty()) {
                // Nothing that would count twice.
                return Uni.createFrom().voidItem();
            }
            slots.forEach(slot -> items.add(ledger.note(batch.partitionKey(), slot)));
            return writes.write(TableWrite.transaction(items)).replaceWithVoid()
                    // Deferred, as an exception of the recovery would be composed with the one it recovers from.
                    .onFailure(ConditionFailedException.class).recoverWithUni(failure -> Uni.createFrom()
                            .deferred(() -> again(shares, slots, upserts, failure)));
        }

        /** Extremes that items do not hold any more are written once more, and what the ledger knows is left out. */
        private Uni<Void> again(List<Contribution> shares, List<Ledger.Slot> slots, List<BucketUpsert> upserts,
                ConditionFailedException failure) {
            List<BucketUpsert> stale = new ArrayList<>();
            Map<Ledger.Time, Set<Long>> known = new HashMap<>();
            failure.items().forEach((position, item) -> {
                if (position < upserts.size()) {
                    stale.add(upserts.get(position));
                } else {
                    known.put(slots.get(position - upserts.size()).time(), Ledger.ids(item));
                }
            });
            List<Contribution> rest = known.isEmpty() && !stale.isEmpty() ? shares : withoutDuplicates(shares, known);
            if (stale.isEmpty()) {
                return transact(rest);
            }
            restores++;
            if (restores > MAX_RESTORES) {
                throw new WriteFailedException(Reason.CONTENTION, "expected items that keep their extremes, found "
                        + restores + " times others");
            }
            return extremes.restore(batch, stale).chain(() -> transact(rest));
        }

        private List<Contribution> withoutDuplicates(List<Contribution> shares, Map<Ledger.Time, Set<Long>> known) {
            List<Contribution> rest = new ArrayList<>();
            for (Contribution share : shares) {
                LedgerId id = share.ledgerId();
                if (known.getOrDefault(Ledger.Time.of(id), Set.of()).contains(id.hash())) {
                    duplicates.add(id);
                } else {
                    rest.add(share);
                }
            }
            if (rest.size() == shares.size()) {
                throw new WriteFailedException(Reason.UNAVAILABLE, "a ledger slot refused ids that it does not hold");
            }
            return rest;
        }

        /** What was not settled before the failure shares it: later shares must not overtake earlier ones. */
        private Void fail(Throwable failure) {
            failed = Failures.of(failure);
            return null;
        }

        /** A share that was twice in the batch was applied once; the second one is its duplicate. */
        List<ContributionOutcome> outcomes() {
            List<ContributionOutcome> outcomes = new ArrayList<>(batch.shares().size());
            int next = 0;
            for (Contribution share : batch.shares()) {
                if (next < distinct.size() && distinct.get(next) == share) {
                    outcomes.add(outcome(next, share.ledgerId(), ContributionOutcome.APPLIED));
                    next++;
                } else {
                    int first = Objects.requireNonNull(positions.get(share.ledgerId()));
                    outcomes.add(outcome(first, share.ledgerId(), ContributionOutcome.DUPLICATE));
                }
            }
            return outcomes;
        }

        private ContributionOutcome outcome(int position, LedgerId id, ContributionOutcome ifSettled) {
            if (!duplicates.isEmpty() && duplicates.contains(id)) {
                return ContributionOutcome.DUPLICATE;
            }
            return position < settled ? ifSettled
                    : Objects.requireNonNull(failed, "a share was neither settled nor failed");
        }
    }
}
