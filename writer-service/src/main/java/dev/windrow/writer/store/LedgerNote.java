package dev.windrow.writer.store;

import java.util.List;

import dev.windrow.table.TableSchema;
import dev.windrow.writer.aggregate.LedgerId;

/**
 * Notes ids in a ledger slot, provided that it holds none of them; if it does, the failure gives back all that it holds.
 *
 * @param ids 1 to {@value Transactions#MAX_IDS} of them
 * @param expires when the slot may be forgotten, in seconds since the epoch
 */
public record LedgerNote(String partitionKey, String sortKey, List<LedgerId> ids, long expires) implements ItemUpdate {

    static final String EXPRESSION = "SET #ttl = :ttl ADD " + TableSchema.LEDGER_IDS + " :ids";
    static final String EXPIRES_NAME = "#ttl";
    static final String EXPIRES_VALUE = ":ttl";
    static final String IDS_VALUE = ":ids";

    static final int ID_BYTES = Long.BYTES;

    /** Writes an id as the table keeps it: its hash, highest byte first. */
    static void write(LedgerId id, byte[] bytes) {
        for (int i = 0; i < ID_BYTES; i++) {
            bytes[i] = (byte) (id.hash() >>> (Long.SIZE - Byte.SIZE * (i + 1)));
        }
    }
}
