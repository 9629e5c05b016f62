package dev.windrow.writer.table;

import java.util.List;
import java.util.Map;

import dev.windrow.aws.AwsErrors.RequestFailedException;
import dev.windrow.base.Reason;
import dev.windrow.base.Sanitized;
import dev.windrow.table.SeriesKey;
import dev.windrow.table.TableSchema;
import io.smallrye.mutiny.Uni;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Writes to the table. Wrappers limit rate and concurrency, and measure; the innermost one talks to DynamoDB. */
public interface TableWrites {

    /** Stands for the table itself where indexes are given by name. */
    String TABLE = "table";

    /**
     * Sends one request.
     *
     * @return fails with {@link WriteFailedException}, or {@link ConditionFailedException} if a condition did not hold
     */
    Uni<WriteResult> write(TableWrite write);

    public interface TableReads {

        /**
         * Reads an item, strongly consistent; empty if it does not exist. Fails with {@link WriteFailedException} if the
         * request fails.
         */
        Uni<Map<String, AttributeValue>> read(String partitionKey, String sortKey);
    }

    /**
     * One request to the table.
     *
     * @param updates one, or up to 100 of different items, applied all or none. A failed condition of a later one is reported
     *        only once it is known whether the condition of the first one holds
     */
    public record TableWrite(List<ItemUpdate> updates) {

        private static final int TRANSACTION_FACTOR = 2;
        private static final String JOURNAL = "~journal";

        public TableWrite {
            updates = List.copyOf(updates);
        }

        public static TableWrite single(ItemUpdate update) {
            return new TableWrite(List.of(update));
        }

        public boolean transactional() {
            return updates.size() > 1;
        }

        /** The dataset of the updated bucket; {@code ~journal} for the journal's own items. */
        public String dataset() {
            String key = updates.get(0).partitionKey();
            return transactional() || key.startsWith(TableSchema.OWN_PREFIX) ? JOURNAL : SeriesKey.dataset(key);
        }

        /** Minimum write units it will consume, as far as the updates show; a transaction costs twice as much. */
        int estimatedUnits() {
            int units = updates.stream().mapToInt(ItemUpdate::estimatedUnits).sum();
            return transactional() ? TRANSACTION_FACTOR * units : units;
        }
    }

    /**
     * The table's answer to a write.
     *
     * @param units write units consumed from table and indexes; 0 if the response does not say
     * @param indexUnits write units consumed from each index, by its name
     * @param item the item after the update, if the update {@linkplain ItemUpdate#returnsItem() returns} it; else empty
     */
    record WriteResult(double units, Map<String, Double> indexUnits, Map<String, AttributeValue> item) {
    }

    /** A write failed, or its response was lost: it may have been applied. */
    public static final class WriteFailedException extends RequestFailedException {

        private static final long serialVersionUID = 1L;

        /** Stands for the throttled resource if the response does not name it. */
        static final String UNKNOWN_RESOURCE = "unknown";

        /** The position of a failure of the whole request. */
        static final int WHOLE = -1;

        private final int position;
        private final boolean forKey;
        private final String throttled;

        /** A failure of the whole request. */
        public WriteFailedException(Reason reason, String detail) {
            this(reason, detail, WHOLE);
        }

        /** @param position of the update that caused the failure, or {@link #WHOLE} */
        WriteFailedException(Reason reason, String detail, int position) {
            this(reason, detail, position, false, UNKNOWN_RESOURCE);
        }

        /**
         * @param forKey whether a single partition key was throttled, rather than the table or an index as a whole
         * @param throttled the name of the index, or {@link TableWrites#TABLE}
         */
        WriteFailedException(Reason reason, String detail, int position, boolean forKey, String throttled) {
            super(reason, Sanitized.line(detail));
            this.position = position;
            this.forKey = forKey;
            this.throttled = throttled;
        }

        /** The throttled resource: the name of an index, {@link TableWrites#TABLE}, or {@link #UNKNOWN_RESOURCE}. */
        String throttled() {
            return throttled;
        }

        boolean isForKey() {
            return forKey;
        }

        /** The position of the update that caused the failure, or {@link #WHOLE}. */
        int position() {
            return position;
        }

        /** A human-readable description of the failure. */
        public String detail() {
            return String.valueOf(getMessage());
        }

        /** Whether the same write may succeed soon; if not, waiting for it would only delay others. */
        boolean isRetryable() {
            return reason() != Reason.REFUSED && reason() != Reason.INTERNAL && !isDenied();
        }

        /** Whether the failure suggests an outage of the whole table, rather than load. */
        public boolean isOutage() {
            return reason() == Reason.UNAVAILABLE || reason() == Reason.TIMED_OUT || reason() == Reason.SCHEMA_MISMATCH;
        }

        /** Whether the write cannot succeed until an operator changes something, although others may. */
        public boolean isDenied() {
            return reason() == Reason.ACCESS_DENIED || reason() == Reason.UNKNOWN_ERROR;
        }
    }

    /** Conditions of a write did not hold, so none of it was applied. */
    static final class ConditionFailedException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final transient Map<Integer, Map<String, AttributeValue>> items;

        /** @param items the current state of the items whose condition failed, by the position of their update */
        ConditionFailedException(Map<Integer, Map<String, AttributeValue>> items) {
            super("conditions failed for updates " + items.keySet(), null, false, false);
            this.items = items;
        }

        public Map<Integer, Map<String, AttributeValue>> items() {
            return items;
        }
    }
}
