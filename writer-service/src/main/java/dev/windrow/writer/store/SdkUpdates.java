package dev.windrow.writer.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.windrow.table.TableSchema;
import dev.windrow.writer.store.BucketUpdate.Value;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.Update;

/** Updates in the SDK's terms. */
final class SdkUpdates {

    private SdkUpdates() {
    }

    static Update of(String table, ItemUpdate update) {
        Update.Builder sdk = Update.builder().tableName(table)
                .key(Map.of(TableSchema.PK, AttributeValue.fromS(update.partitionKey()), TableSchema.SK,
                        AttributeValue.fromS(update.sortKey())));
        if (update instanceof BucketUpdate bucket) {
            fill(sdk, bucket);
        } else {
            fill(sdk, (LedgerNote) update);
        }
        return sdk.build();
    }

    private static void fill(Update.Builder sdk, BucketUpdate update) {
        Map<String, AttributeValue> values = new HashMap<>();
        update.values().forEach((name, value) -> values.put(name, value(value)));
        sdk.updateExpression(update.expression()).expressionAttributeNames(update.names())
                .expressionAttributeValues(values);
        if (update.condition() != null) {
            sdk.conditionExpression(update.condition())
                    .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD);
        }
    }

    private static AttributeValue value(Value value) {
        return switch (value.type()) {
            case S -> AttributeValue.fromS(value.text());
            case N -> AttributeValue.fromN(value.text());
        };
    }

    private static void fill(Update.Builder sdk, LedgerNote note) {
        Map<String, AttributeValue> values = new HashMap<>();
        List<SdkBytes> ids = new ArrayList<>(note.ids().size());
        for (int i = 0; i < note.ids().size(); i++) {
            byte[] bytes = new byte[LedgerNote.ID_BYTES];
            LedgerNote.write(note.ids().get(i), bytes);
            SdkBytes id = SdkBytes.fromByteArrayUnsafe(bytes);
            ids.add(id);
            values.put(UnknownIds.name(i).getValue(), AttributeValue.fromB(id));
        }
        values.put(LedgerNote.IDS_VALUE, AttributeValue.fromBs(ids));
        values.put(LedgerNote.EXPIRES_VALUE, AttributeValue.fromN(Long.toString(note.expires())));
        sdk.updateExpression(LedgerNote.EXPRESSION).conditionExpression(UnknownIds.condition(ids.size()).getValue())
                .expressionAttributeNames(Map.of(LedgerNote.EXPIRES_NAME, TableSchema.TTL))
                .expressionAttributeValues(values)
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD);
    }
}
