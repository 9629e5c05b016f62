package dev.windrow.writer.table;

import io.smallrye.mutiny.Uni;

/** Writes to the table. Wrappers limit rate and concurrency, and measure; the innermost one talks to DynamoDB. */
public interface TableClient {

    /** Stands for the table itself where indexes are given by name. */
    String TABLE = "table";

    /**
     * Sends one request.
     *
     * @return fails with {@link WriteFailedException}, or {@link ConditionFailedException} if a condition did not hold
     */
    Uni<WriteResult> write(TableWrite write);

}
