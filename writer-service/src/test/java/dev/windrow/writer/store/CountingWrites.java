package dev.windrow.writer.store;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

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
    public Uni<WriteReceipt> write(TableWrite write) {
        all.add(write);
        return writes.write(write).chain(receipt -> {
            synchronized (this) {
                units += receipt.units();
                if (write.transactional() && answersToLose > 0) {
                    answersToLose--;
                    return Uni.createFrom().failure(
                            new WriteFailedException(dev.windrow.reason.Reason.UNAVAILABLE, "the answer was lost"));
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
                .filter(write -> write.updates().get(0).updateExpression().contains(expressionPart)).count();
    }

    List<TableWrite> transactions() {
        return all.stream().filter(TableWrite::transactional).toList();
    }

    double units() {
        return units;
    }
}
