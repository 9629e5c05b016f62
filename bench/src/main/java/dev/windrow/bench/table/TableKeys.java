package dev.windrow.bench.table;

import dev.windrow.table.TableSchema;

/**
 * Key schema of a table with one index over all attributes; every key is a string.
 *
 * @param table the table's name
 * @param partition its partition key
 * @param sort its sort key
 * @param index the index's name
 * @param indexPartition the index's partition key
 * @param indexSort the index's sort key
 */
public record TableKeys(String table, String partition, String sort, String index, String indexPartition,
        String indexSort) {

    /** Windrow's own. */
    public static final TableKeys WINDROW = new TableKeys(TableSchema.TABLE, TableSchema.PK, TableSchema.SK,
            TableSchema.INDEX, TableSchema.INDEX_PK, TableSchema.INDEX_SK);
}
