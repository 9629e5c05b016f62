package dev.windrow.writer.store;

import java.io.IOException;
import java.util.List;

import com.fasterxml.jackson.core.JsonGenerator;

/** An update that deletes an attribute. */
record SomeUpdate(String partitionKey, String sortKey) implements ItemUpdate {

    @Override
    public List<String> attributes() {
        return List.of("a");
    }

    @Override
    public void write(JsonGenerator json) throws IOException {
        json.writeStringField("UpdateExpression", "REMOVE a");
    }
}
