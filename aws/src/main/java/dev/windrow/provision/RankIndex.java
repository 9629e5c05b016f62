package dev.windrow.provision;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import dev.windrow.table.TableSchema;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateGlobalSecondaryIndexAction;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexUpdate;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.Projection;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughput;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.UpdateTableRequest;

/** The index of leaderboards by one measure, in DynamoDB's words. */
final class RankIndex {

    static final Projection PROJECTION = Projection.builder().projectionType(ProjectionType.KEYS_ONLY).build();

    private static final String PREFIX = TableSchema.rankIndex("");

    private RankIndex() {
    }

    static List<KeySchemaElement> keys(String measure) {
        return TableDefinition.keys(TableSchema.rankAttribute(measure), TableSchema.measureAttribute(measure));
    }

    static List<AttributeDefinition> attributes(String measure) {
        return List.of(TableDefinition.text(TableSchema.rankAttribute(measure)),
                AttributeDefinition.builder().attributeName(TableSchema.measureAttribute(measure))
                        .attributeType(ScalarAttributeType.N).build());
    }

    /** Whether an index is one of leaderboards. While such an index is being built, everything else goes on. */
    static boolean isOne(GlobalSecondaryIndexDescription index) {
        return index.indexName().startsWith(PREFIX);
    }

    static Optional<GlobalSecondaryIndexDescription> find(TableDescription table, String measure) {
        return table.globalSecondaryIndexes().stream()
                .filter(index -> index.indexName().equals(TableSchema.rankIndex(measure))).findFirst();
    }

    /** What differs in an index of that name; empty if its keys fit. It may project more than keys. */
    static Optional<String> difference(TableDescription table, GlobalSecondaryIndexDescription index, String measure) {
        String expected = TableDefinition.describe(keys(measure), types(attributes(measure)));
        String found = TableDefinition.describe(index.keySchema(), types(table.attributeDefinitions()));
        return expected.equals(found) ? Optional.empty()
                : Optional.of("expected key of index '" + index.indexName() + "' " + expected + ", found " + found);
    }

    static Map<String, ScalarAttributeType> types(List<AttributeDefinition> attributes) {
        return attributes.stream().collect(
                Collectors.toMap(AttributeDefinition::attributeName, AttributeDefinition::attributeType));
    }

    /** The request that adds the index to a table in use; where capacity is provisioned, with as much as the table's. */
    static UpdateTableRequest creation(TableDescription table, String measure) {
        CreateGlobalSecondaryIndexAction.Builder index = CreateGlobalSecondaryIndexAction.builder()
                .indexName(TableSchema.rankIndex(measure)).keySchema(keys(measure)).projection(PROJECTION);
        boolean onDemand = table.billingModeSummary() != null
                && table.billingModeSummary().billingMode() == BillingMode.PAY_PER_REQUEST;
        if (!onDemand) {
            index.provisionedThroughput(ProvisionedThroughput.builder()
                    .readCapacityUnits(table.provisionedThroughput().readCapacityUnits())
                    .writeCapacityUnits(table.provisionedThroughput().writeCapacityUnits()).build());
        }
        return UpdateTableRequest.builder().tableName(table.tableName()).attributeDefinitions(attributes(measure))
                .globalSecondaryIndexUpdates(GlobalSecondaryIndexUpdate.builder().create(index.build()).build()).build();
    }
}
