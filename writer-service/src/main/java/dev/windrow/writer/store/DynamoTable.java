package dev.windrow.writer.store;

import java.util.Collection;
import java.util.List;

import io.smallrye.mutiny.Uni;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.Update;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** The table itself. A transaction carries no client token: it is the ledger that makes a repeated one harmless. */
public final class DynamoTable implements TableWrites {

    private final DynamoDbAsyncClient client;
    private final String table;

    /**
     * @param client must not retry by itself, so that leveling sees each throttled request
     * @param table its name
     */
    public DynamoTable(DynamoDbAsyncClient client, String table) {
        this.client = client;
        this.table = table;
    }

    @Override
    public Uni<WriteResult> write(TableWrite write) {
        Uni<WriteResult> answer = write.transactional() ? transact(write.updates()) : update(write.updates().get(0));
        return answer.onFailure().transform(DynamoFailures::classified);
    }

    private Uni<WriteResult> update(ItemUpdate single) {
        Update update = SdkUpdates.of(table, single);
        UpdateItemRequest request = UpdateItemRequest.builder().tableName(update.tableName()).key(update.key())
                .updateExpression(update.updateExpression()).conditionExpression(update.conditionExpression())
                .expressionAttributeNames(update.expressionAttributeNames())
                .expressionAttributeValues(update.expressionAttributeValues())
                .returnValuesOnConditionCheckFailure(update.returnValuesOnConditionCheckFailure())
                .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL).build();
        return Uni.createFrom().completionStage(() -> client.updateItem(request))
                .map(response -> new WriteResult(units(response.consumedCapacity() == null ? List.of()
                        : List.of(response.consumedCapacity()))));
    }

    private Uni<WriteResult> transact(List<ItemUpdate> updates) {
        TransactWriteItemsRequest request = TransactWriteItemsRequest.builder()
                .transactItems(updates.stream()
                        .map(update -> TransactWriteItem.builder().update(SdkUpdates.of(table, update)).build()).toList())
                .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL).build();
        return Uni.createFrom().completionStage(() -> client.transactWriteItems(request))
                .map(response -> new WriteResult(units(response.consumedCapacity())));
    }

    private static double units(Collection<ConsumedCapacity> capacities) {
        double units = 0;
        for (ConsumedCapacity capacity : capacities) {
            Double taken = capacity.capacityUnits();
            units += taken == null ? 0 : taken;
        }
        return units;
    }
}
