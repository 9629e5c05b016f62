package dev.windrow.writer.store;

import io.smallrye.mutiny.Uni;

/** Requests to the table. Wrappers retry, limit rate and concurrency, and measure; the innermost one talks to DynamoDB. */
public interface TableWrites {

    /**
     * Makes one request.
     *
     * @return fails with {@link WriteFailedException}, or {@link ConditionFailedException} if a condition did not hold
     */
    Uni<WriteResult> write(TableWrite write);
}
