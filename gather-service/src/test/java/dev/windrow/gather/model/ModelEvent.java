package dev.windrow.gather.model;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * An event of the model.
 *
 * @param keyShard the key shard to which the writer assigned it
 * @param attributes its numbers; it may lack some
 */
public record ModelEvent(List<String> label, int keyShard, Instant time, Map<String, BigDecimal> attributes) {

    /** How often it counts: -1 for a retraction. */
    BigDecimal weight() {
        return attributes.getOrDefault(ModelMeasure.WEIGHT, BigDecimal.ONE);
    }
}
