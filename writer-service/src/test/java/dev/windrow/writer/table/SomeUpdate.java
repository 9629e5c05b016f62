package dev.windrow.writer.table;

import java.io.IOException;
import java.util.List;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonGenerator;

/** An update that deletes an attribute. */
record SomeUpdate(String partitionKey, String sortKey, @Nullable String indexPartitionKey) implements ItemUpdate {

    SomeUpdate(String partitionKey, String sortKey) {
        this(partitionKey, sortKey, null);
    }

    @Override
    public List<String> attributes() {
        return List.of("a");
    }

    @Override
    public void write(JsonGenerator json) throws IOException {
        json.writeStringField("UpdateExpression", "REMOVE a");
    }
}
