package dev.windrow.writer.store;

import java.util.Map;

import io.smallrye.mutiny.Uni;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads items of the table. */
public interface TableReads {

    /**
     * Reads an item, strongly consistent; an empty one if it does not exist. Fails with {@link WriteFailedException} if there
     * is no answer.
     */
    Uni<Map<String, AttributeValue>> read(String partitionKey, String sortKey);
}
