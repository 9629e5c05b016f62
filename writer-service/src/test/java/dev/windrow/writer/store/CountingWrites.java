package dev.windrow.writer.store;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.windrow.reason.Reason;
import io.smallrye.mutiny.Uni;

/** Remembers what was written, and can lose answers. */
final class CountingWrites implements TableWrites {

    private final TableWrites writes;
    private final List<TableWrite> all = new CopyOnWriteArrayList<>();
    private volatile int answersToLose;
    private volatile double units;

    CountingWrites(TableWrites writes) {
        this.writes = writes;
    }

    @Override
    public Uni<WriteResult> write(TableWrite write) {
        all.add(write);
        return writes.write(write).chain(receipt -> {
            synchronized (this) {
                units += receipt.units();
                if (write.transactional() && answersToLose > 0) {
                    answersToLose--;
                    return Uni.createFrom().failure(
                            new WriteFailedException(Reason.UNAVAILABLE, "the answer was lost"));
                }
            }
            return Uni.createFrom().item(receipt);
        });
    }

    /** The next answers to transactions that were applied are lost. */
    void loseAnswers(int answers) {
        answersToLose = answers;
    }

    int singleUpdates(String expressionPart) {
        return (int) all.stream().filter(write -> !write.transactional())
                .filter(write -> write.updates().get(0) instanceof BucketUpdate update
                        && update.expression().contains(expressionPart))
                .count();
    }

    List<TableWrite> transactions() {
        return all.stream().filter(TableWrite::transactional).toList();
    }

    /** Write units as the table told them; the embedded one does not count transactions as DynamoDB does. */
    double toldUnits() {
        return units;
    }

    /**
     * Write units by DynamoDB's rule for items up to 1 KB: one for each item, two in a transaction, and one for each copy
     * in the index.
     */
    double units() {
        double sum = 0;
        for (TableWrite write : all) {
            for (ItemUpdate update : write.updates()) {
                sum += write.transactional() ? 2 : 1;
                sum += update instanceof BucketUpdate bucket && bucket.values().containsKey(":ipk") ? 1 : 0;
            }
        }
        return sum;
    }
}
