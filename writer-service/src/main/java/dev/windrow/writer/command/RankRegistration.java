package dev.windrow.writer.command;

import java.util.List;
import java.util.Map;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Rank;
import dev.windrow.table.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;

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
     * @return whether the table has to be read from its beginning, since other leaderboards were being completed, or
     *         writers have started that do not keep them
     */
    boolean begin() {
        boolean fromStart = false;
        for (Dataset dataset : ranked) {
            AttributeValue lines = AttributeValue.fromS(Rank.lines(dataset.ranks()));
            try {
                Map<String, AttributeValue> before = CommandClients.await(dynamoDb.updateItem(update -> update
                        .tableName(table).key(RankProgress.key(TableSchema.DATASETS_SK)).updateExpression("SET #c = :lines")
                        .conditionExpression("attribute_exists(#d)")
                        .expressionAttributeNames(Map.of("#c", TableSchema.rankingAttribute(dataset.name()), "#d",
                                TableSchema.datasetAttribute(dataset.name())))
                        .expressionAttributeValues(Map.of(":lines", lines)).returnValues(ReturnValue.UPDATED_OLD)))
                        .attributes();
                fromStart |= !lines.equals(before.get(TableSchema.rankingAttribute(dataset.name())));
            } catch (ConditionalCheckFailedException unregistered) {
                throw new IllegalStateException("expected a table that a writer with dataset " + dataset.name()
                        + " has used: start the writers first", unregistered);
            }
        }
        return fromStart;
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
                        .expressionAttributeValues(Map.of(":lines", AttributeValue.fromS(Rank.lines(dataset.ranks()))))));
            } catch (ConditionalCheckFailedException changed) {
                throw new IllegalStateException("expected that all writers keep the ranks of dataset " + dataset.name()
                        + ", but one without them has started meanwhile: replace it and run the command again", changed);
            }
        }
    }
}
