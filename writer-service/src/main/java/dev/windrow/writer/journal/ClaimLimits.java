package dev.windrow.writer.journal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import dev.windrow.table.AwsLimits;

/**
 * Limits of one claim, within a transaction of 100 items and 4 MB.
 *
 * @param bytes approximate size of its record before compression; a single unit may exceed it
 * @param chunkBytes size of each item that the record is cut into
 * @param chunks maximum number of such items
 * @param slotFullAt number of ids at which a slot is full; later ids go to slots below it. Part of the storage format:
 *        always the same for all writers of a table
 * @param slotTarget number of ids that a slot should get
 * @param namedIds number of ids that one condition can name (DynamoDB: 300 operators, two per id, and 4 KB)
 */
public record ClaimLimits(int bytes, int chunkBytes, int chunks, int slots, int slotFullAt, int slotTarget, int namedIds) {

    /** @throws IllegalArgumentException if lane, record and slots do not fit into a transaction */
    public ClaimLimits {
        if (1 + chunks + slots > AwsLimits.TRANSACTION_ITEMS) {
            throw new IllegalArgumentException("expected at most " + AwsLimits.TRANSACTION_ITEMS + " items, found a lane, "
                    + chunks + " chunks and " + slots + " slots");
        }
    }

    /** Cuts a record into items of {@code chunkBytes}; returns none if there would be more than {@code chunks}. */
    public List<byte[]> cut(byte[] record) {
        List<byte[]> cut = new ArrayList<>();
        for (int from = 0; from < record.length; from += chunkBytes) {
            cut.add(Arrays.copyOfRange(record, from, Math.min(record.length, from + chunkBytes)));
        }
        return cut.size() > chunks ? List.of() : cut;
    }

    /**
     * The usual limits. A slot of 120 ids is 1 KB and costs as little as a slot of one id; few slots get a fifth more ids
     * than others. A full slot stays below 4 KB, whatever its last claim adds.
     */
    public static final ClaimLimits DEFAULTS = new ClaimLimits(2_000_000, 350_000, 8, 88, 250, 100, 140);
}
