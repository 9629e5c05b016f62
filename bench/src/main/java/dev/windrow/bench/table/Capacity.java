package dev.windrow.bench.table;

import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.windrow.bench.partition.Demand;

/** ConsumedCapacity in answers, when it is asked for. */
final class Capacity {

    private Capacity() {
    }

    static Optional<ObjectNode> consumed(JsonNode request, TableKeys keys, List<Demand> demands) {
        String wanted = request.path("ReturnConsumedCapacity").asText("NONE");
        if (wanted.equals("NONE")) {
            return Optional.empty();
        }
        double table = demands.stream().filter(demand -> !demand.resource().isIndex()).mapToDouble(Demand::units).sum();
        double index = demands.stream().filter(demand -> demand.resource().isIndex()).mapToDouble(Demand::units).sum();
        ObjectNode consumed = JsonNodeFactory.instance.objectNode();
        consumed.put("TableName", keys.table()).put("CapacityUnits", table + index);
        if (wanted.equals("INDEXES")) {
            consumed.putObject("Table").put("CapacityUnits", table);
            if (index > 0) {
                consumed.putObject("GlobalSecondaryIndexes").putObject(keys.index()).put("CapacityUnits", index);
            }
        }
        return Optional.of(consumed);
    }
}
