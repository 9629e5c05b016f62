package dev.windrow.gather.fanout.dynamo;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.windrow.gather.query.ShardQuery;
import dev.windrow.gather.query.ShardQuery.Source;
import dev.windrow.table.TableSchema;

/**
 * A read as a Query request of DynamoDB, however it is sent.
 *
 * @param index the index to be read; the table if absent
 * @param keyCondition the range
 * @param filter what of the range is wanted
 * @param projection the attributes that are wanted
 * @param names what the expressions' names stand for
 * @param values what the expressions' values stand for, all of them strings
 */
record QueryExpression(Optional<String> index, String keyCondition, Optional<String> filter, String projection,
        Map<String, String> names, Map<String, String> values) {

    /** @param attributes those wanted, the sort key first */
    static QueryExpression of(ShardQuery query, List<String> attributes) {
        boolean index = query.source() == Source.INDEX;
        Map<String, String> values = new LinkedHashMap<>();
        values.put(":p", query.partitionKey());
        values.put(":from", query.fromKey());
        values.put(":to", query.toKey());
        List<String> filters = new ArrayList<>();
        query.filters().forEach(filter -> {
            String value = ":f" + filters.size();
            values.put(value, filter);
            filters.add("begins_with(" + TableSchema.PK + ", " + value + ")");
        });
        Map<String, String> names = new LinkedHashMap<>();
        for (int i = 0; i < attributes.size(); i++) {
            names.put("#" + i, attributes.get(i));
        }
        // The first attribute is the sort key, so the condition can share its name.
        return new QueryExpression(index ? Optional.of(TableSchema.INDEX) : Optional.empty(),
                (index ? TableSchema.INDEX_PK : TableSchema.PK) + " = :p AND #0 BETWEEN :from AND :to",
                filters.isEmpty() ? Optional.empty() : Optional.of(String.join(" OR ", filters)),
                String.join(",", names.keySet()), names, values);
    }
}
