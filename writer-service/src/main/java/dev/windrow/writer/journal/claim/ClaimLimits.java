package dev.windrow.writer.journal.claim;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import dev.windrow.table.TableSchema.AwsLimits;

/**
 * What one claim may hold, within a transaction of 100 items and 4 MB.
 *
 * @param bytes of its record before compression, approximately; a single unit may have more
 * @param chunkBytes of each item that the record is cut into
 * @param chunks maximum number of such items
 * @param slots maximum number of slots
 * @param slotFullAt number of ids at which a slot is full; later ones go to slots below it. Part of the storage format: all
 *        writers of a table must always have the same
 * @param slotTarget how many ids a slot should get
 */
public record ClaimLimits(int bytes, int chunkBytes, int chunks, int slots, int slotFullAt, int slotTarget) {

    /** @throws IllegalArgumentException if lane, record and slots do not fit into a transaction */
    public ClaimLimits {
        if (1 + chunks + slots > AwsLimits.TRANSACTION_ITEMS) {
            throw new IllegalArgumentException("expected at most " + AwsLimits.TRANSACTION_ITEMS + " items, found a lane, "
                    + chunks + " chunks and " + slots + " slots");
        }
    }

    /** A record as the items that it is cut into; none if it is longer than they may be together. */
    public List<byte[]> cut(byte[] record) {
        List<byte[]> cut = new ArrayList<>();
        for (int from = 0; from < record.length; from += chunkBytes) {
            cut.add(Arrays.copyOfRange(record, from, Math.min(record.length, from + chunkBytes)));
        }
        return cut.size() > chunks ? List.of() : cut;
    }

    /**
     * Usual limits: a slot of 120 ids is a KB and costs as little as one of one id, and few have a fifth more than others. A
     * full slot stays below 4 KB, whatever its last claim adds.
     */
    public static final ClaimLimits DEFAULTS = new ClaimLimits(2_000_000, 350_000, 8, 88, 250, 100);
}
