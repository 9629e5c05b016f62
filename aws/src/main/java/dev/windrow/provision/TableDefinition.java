package dev.windrow.provision;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import dev.windrow.table.TableSchema;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.IndexStatus;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;

/** {@link TableSchema} in DynamoDB's words: to create a table by, and to compare an existing one with. */
final class TableDefinition {

    private static final List<KeySchemaElement> TABLE_KEYS = keys(TableSchema.PK, TableSchema.SK);
    private static final List<KeySchemaElement> INDEX_KEYS = keys(TableSchema.INDEX_PK, TableSchema.INDEX_SK);

    private TableDefinition() {
    }

    static CreateTableRequest creation(TableSpec spec) {
        List<GlobalSecondaryIndex> indexes = new ArrayList<>(List.of(GlobalSecondaryIndex.builder()
                .indexName(TableSchema.INDEX)
                .keySchema(INDEX_KEYS)
                .projection(projection -> projection.projectionType(ProjectionType.ALL)).build()));
        spec.rankedMeasures().forEach(measure -> indexes.add(GlobalSecondaryIndex.builder()
                .indexName(TableSchema.rankIndex(measure)).keySchema(RankIndex.keys(measure))
                .projection(RankIndex.PROJECTION).build()));
        return CreateTableRequest.builder()
                .tableName(spec.name())
                .attributeDefinitions(attributes(spec))
                .keySchema(TABLE_KEYS)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .globalSecondaryIndexes(indexes).build();
    }

    private static List<AttributeDefinition> attributes(TableSpec spec) {
        List<AttributeDefinition> attributes = new ArrayList<>(List.of(text(TableSchema.PK), text(TableSchema.SK),
                text(TableSchema.INDEX_PK), text(TableSchema.INDEX_SK)));
        spec.rankedMeasures().forEach(measure -> attributes.addAll(RankIndex.attributes(measure)));
        return attributes;
    }

    /** An index that is still being created or removed cannot be queried; one of other capacity can. */
    static boolean usable(GlobalSecondaryIndexDescription index) {
        return index.indexStatus() == IndexStatus.ACTIVE || index.indexStatus() == IndexStatus.UPDATING;
    }

    /** What differs from the schema, one sentence each; none when the table fits. More indexes than ours are allowed. */
    static List<String> differences(TableDescription found) {
        List<String> differences = new ArrayList<>();
        Map<String, ScalarAttributeType> types = RankIndex.types(found.attributeDefinitions());
        compareKeys("table key", TABLE_KEYS, found.keySchema(), types, differences);
        Optional<GlobalSecondaryIndexDescription> index = found.globalSecondaryIndexes().stream()
                .filter(candidate -> candidate.indexName().equals(TableSchema.INDEX)).findFirst();
        if (index.isEmpty()) {
            differences.add("expected a global secondary index '" + TableSchema.INDEX + "', found none");
            return differences;
        }
        String subject = "key of index '" + TableSchema.INDEX + "'";
        compareKeys(subject, INDEX_KEYS, index.get().keySchema(), types, differences);
        ProjectionType projection = index.get().projection().projectionType();
        if (projection != ProjectionType.ALL) {
            differences.add("expected index '" + TableSchema.INDEX + "' to project ALL, found " + projection);
        }
        return differences;
    }

    private static void compareKeys(String subject, List<KeySchemaElement> expected, List<KeySchemaElement> found,
            Map<String, ScalarAttributeType> types, List<String> differences) {
        String wanted = describe(expected, Map.of());
        String actual = describe(found, types);
        if (!wanted.equals(actual)) {
            differences.add("expected " + subject + " " + wanted + ", found " + actual);
        }
    }

    static String describe(List<KeySchemaElement> keys, Map<String, ScalarAttributeType> types) {
        return keys.stream()
                .map(key -> key.attributeName() + " (" + key.keyTypeAsString() + ", "
                        + types.getOrDefault(key.attributeName(), ScalarAttributeType.S) + ")")
                .collect(Collectors.joining(", "));
    }

    static List<KeySchemaElement> keys(String hash, String range) {
        return List.of(KeySchemaElement.builder().attributeName(hash).keyType(KeyType.HASH).build(),
                KeySchemaElement.builder().attributeName(range).keyType(KeyType.RANGE).build());
    }

    static AttributeDefinition text(String name) {
        return AttributeDefinition.builder().attributeName(name).attributeType(ScalarAttributeType.S).build();
    }
}
