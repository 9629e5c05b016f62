package dev.windrow.writer.lifecycle;

import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

import dev.windrow.table.TableSchema;
import dev.windrow.writer.store.TableReads;
import dev.windrow.writer.store.TableWrite;
import dev.windrow.writer.store.TableWrites;

/**
 * Which of the journal's requests to the table are progress of the flow. Updates of buckets and claims are. Renewals of the
 * lane and looks at other lanes are not, as they go on while nothing is claimed; but those that fail are, as claims wait
 * until the table is back. For a writer that finds no free lane they are all there is to do, so they are progress, too.
 *
 * @param seatless whether the writer has no lane to claim on
 */
record JournalProgress(FlowProgress progress, BooleanSupplier seatless) {

    /** Writes of buckets. */
    TableWrites updates(TableWrites writes) {
        return write -> writes.write(write).onTermination().invoke(progress::releasing);
    }

    /** Writes of lanes and cuts; a claim is a transaction. */
    TableWrites lanes(TableWrites writes) {
        return write -> writes.write(write).onTermination()
                .invoke((done, failure, cancelled) -> ended(failure, !isUpkeep(write)));
    }

    /** Reads of lanes and records. */
    TableReads reads(TableReads reads) {
        return (partitionKey, sortKey) -> reads.read(partitionKey, sortKey).onTermination()
                .invoke((done, failure, cancelled) -> ended(failure, false));
    }

    private void ended(@Nullable Throwable failure, boolean needed) {
        if (needed || failure != null || seatless.getAsBoolean()) {
            progress.releasing();
        }
    }

    private static boolean isUpkeep(TableWrite write) {
        return !write.transactional() && write.updates().get(0).sortKey().equals(TableSchema.LANE_SK);
    }
}
