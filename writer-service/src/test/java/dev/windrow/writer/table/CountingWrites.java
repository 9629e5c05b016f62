package dev.windrow.writer.table;

import dev.windrow.table.TableSchema;
import dev.windrow.writer.table.TableWrites.TableWrite;
import dev.windrow.writer.table.TableWrites.WriteResult;
import io.smallrye.mutiny.Uni;

/**
 * Counts write units by DynamoDB's rule: one for each kilobyte of an item, twice that in a transaction, and one for each
 * copy in the index. The embedded table does not count transactions so.
 */
final class CountingWrites implements TableWrites {

    private final TableWrites writes;
    private double units;
    private double bucketUnits;
    private int bucketUpdates;

    CountingWrites(TableWrites writes) {
        this.writes = writes;
    }

    @Override
    public Uni<WriteResult> write(TableWrite write) {
        for (ItemUpdate update : write.updates()) {
            double own = write.estimatedUnits() / (double) write.updates().size();
            double index = update.attributes().contains(TableSchema.INDEX_PK) ? 1 : 0;
            units += own + index;
            if (!update.partitionKey().startsWith("~")) {
                bucketUnits += own + index;
                bucketUpdates++;
            }
        }
        return writes.write(write);
    }

    /** All write units. */
    double units() {
        return units;
    }

    /** Write units of buckets alone. */
    double bucketUnits() {
        return bucketUnits;
    }

    /** How often a bucket was written, or an extreme of it. */
    int bucketUpdates() {
        return bucketUpdates;
    }
}
