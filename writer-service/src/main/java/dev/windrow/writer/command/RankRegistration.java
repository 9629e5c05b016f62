package dev.windrow.writer.command;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Rank;
import dev.windrow.table.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

/** Records in the item of the registered datasets which leaderboards are being completed, and which are complete. */
final class RankRegistration {

    private final DynamoDbAsyncClient dynamoDb;
    private final String table;
    private final List<Dataset> ranked;

    /** @param ranked the datasets with leaderboards */
    RankRegistration(DynamoDbAsyncClient dynamoDb, String table, List<Dataset> ranked) {
        this.dynamoDb = dynamoDb;
        this.table = table;
        this.ranked = ranked;
    }

    /**
     * Records that the leaderboards are being completed. Requires registered datasets: in a table without any, the next
     * writer would find changed ones.
     *
     * @param restart is run before, if the table has to be read from its beginning, since other leaderboards were being
     *        completed, or writers have started that do not keep them; a command that ends in between starts over again
     */
    void begin(Runnable restart) {
        Map<String, AttributeValue> before = CommandClients.await(dynamoDb.getItem(get -> get.tableName(table)
                .key(RankProgress.key(TableSchema.DATASETS_SK)).consistentRead(true))).item();
        for (Dataset dataset : ranked) {
            if (!before.containsKey(TableSchema.datasetAttribute(dataset.name()))) {
                throw new IllegalStateException("expected a table that a writer with dataset " + dataset.name()
                        + " has used: start the writers first");
            }
        }
        if (ranked.stream().anyMatch(
                dataset -> !lines(dataset).equals(before.get(TableSchema.rankingAttribute(dataset.name()))))) {
            restart.run();
        }
        ranked.forEach(dataset -> begin(dataset, before.get(TableSchema.rankingAttribute(dataset.name()))));
    }

    private void begin(Dataset dataset, @Nullable AttributeValue before) {
        Map<String, AttributeValue> values = new HashMap<>(Map.of(":lines", lines(dataset)));
        if (before != null) {
            values.put(":before", before);
        }
        try {
            CommandClients.await(dynamoDb.updateItem(update -> update.tableName(table)
                    .key(RankProgress.key(TableSchema.DATASETS_SK)).updateExpression("SET #c = :lines")
                    .conditionExpression(before == null ? "attribute_not_exists(#c)" : "#c = :before")
                    .expressionAttributeNames(Map.of("#c", TableSchema.rankingAttribute(dataset.name())))
                    .expressionAttributeValues(values)));
        } catch (ConditionalCheckFailedException changed) {
            throw new IllegalStateException("expected that no writer starts at this moment, but one has registered dataset "
                    + dataset.name() + ": run the command again", changed);
        }
    }

    private static AttributeValue lines(Dataset dataset) {
        return AttributeValue.fromS(Rank.lines(dataset.ranks()));
    }

    /** Records that the leaderboards are complete, unless a writer that does not keep them has started meanwhile. */
    void complete() {
        for (Dataset dataset : ranked) {
            try {
                CommandClients.await(dynamoDb.updateItem(update -> update.tableName(table)
                        .key(RankProgress.key(TableSchema.DATASETS_SK))
                        .updateExpression("SET #k = :lines REMOVE #c").conditionExpression("#c = :lines")
                        .expressionAttributeNames(Map.of("#k", TableSchema.rankedAttribute(dataset.name()), "#c",
                                TableSchema.rankingAttribute(dataset.name())))
                        .expressionAttributeValues(Map.of(":lines", lines(dataset)))));
            } catch (ConditionalCheckFailedException changed) {
                throw new IllegalStateException("expected that all writers keep the ranks of dataset " + dataset.name()
                        + ", but one without them has started meanwhile: replace it and run the command again", changed);
            }
        }
    }
}
