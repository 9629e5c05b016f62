package dev.windrow.bench.table;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.windrow.bench.partition.Resource;

/** Throttling errors as the service gives them. */
final class Throttling {

    static final String TYPE = "ProvisionedThroughputExceededException";
    static final String MESSAGE = "The level of configured provisioned throughput for the table was exceeded. "
            + "Consider increasing your provisioning level with the UpdateTable API.";
    static final String INDEX_MESSAGE = "The level of configured provisioned throughput for one or more global secondary "
            + "indexes of the table was exceeded. Consider increasing your provisioning level for the under-provisioned "
            + "global secondary indexes with the UpdateTable API";

    private Throttling() {
    }

    static Refusal refusal(Resource at, boolean write) {
        ObjectNode details = JsonNodeFactory.instance.objectNode();
        details.putArray("ThrottlingReasons").addObject()
                .put("reason", (at.isIndex() ? "Index" : "Table") + (write ? "Write" : "Read") + "KeyRangeThroughputExceeded")
                .put("resource", at.arn());
        return new Refusal(TYPE, message(at), details);
    }

    static String message(Resource at) {
        return at.isIndex() ? INDEX_MESSAGE : MESSAGE;
    }
}
