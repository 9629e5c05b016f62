package dev.windrow.writer.table;

import java.util.Map;

import io.smallrye.mutiny.Uni;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

public interface TableReads {

    /**
     * Reads an item, strongly consistent; empty if it does not exist. Fails with {@link WriteFailedException} if the
     * request fails.
     */
    Uni<Map<String, AttributeValue>> read(String partitionKey, String sortKey);
}
