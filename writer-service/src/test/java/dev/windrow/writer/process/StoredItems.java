package dev.windrow.writer.process;

import java.util.EnumMap;
import java.util.Map;

import dev.windrow.table.TableSchema;
import dev.windrow.writer.testing.Items;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** How many items of each kind a table has. */
final class StoredItems {

    /** Kinds of items, by their partition keys. */
    enum Kind {
        LANE("~lane#"),
        RECORD("~record#"),
        CUT("~cut#"),
        SLOT("~slot#"),
        BUCKET("");

        private final String prefix;

        Kind(String prefix) {
            this.prefix = prefix;
        }
    }

    private final Map<Kind, Integer> counts = new EnumMap<>(Kind.class);
    private int withoutExpiry;
    private int positionsInBucket;

    private StoredItems() {
    }

    static StoredItems of(DynamoDbAsyncClient dynamoDb, String table) {
        StoredItems items = new StoredItems();
        new Items(dynamoDb, table).all().forEach(items::add);
        return items;
    }

    private void add(Map<String, AttributeValue> item) {
        String key = item.get(TableSchema.PK).s();
        for (Kind kind : Kind.values()) {
            boolean other = kind == Kind.BUCKET && key.startsWith("~");
            if (key.startsWith(kind.prefix) && !other) {
                counts.merge(kind, 1, Integer::sum);
                boolean kept = kind == Kind.LANE || kind == Kind.BUCKET;
                withoutExpiry += kept || item.containsKey(TableSchema.TTL) ? 0 : 1;
                if (kind == Kind.BUCKET) {
                    positionsInBucket = Math.max(positionsInBucket,
                            (int) item.keySet().stream().filter(name -> name.matches("j\\d+")).count());
                }
                return;
            }
        }
    }

    int count(Kind kind) {
        return counts.getOrDefault(kind, 0);
    }

    /** Records, cuts and slots without a time at which they are removed. */
    int withoutExpiry() {
        return withoutExpiry;
    }

    /** Positions of lanes in the bucket that has the most. */
    int positionsInBucket() {
        return positionsInBucket;
    }

    @Override
    public String toString() {
        return "items " + counts + ", up to " + positionsInBucket + " positions in a bucket";
    }
}
