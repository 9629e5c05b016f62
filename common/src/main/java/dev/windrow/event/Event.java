package dev.windrow.event;

import java.time.Instant;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * One thing that happened.
 *
 * @param type selects the datasets that count it
 * @param time when it happened, see {@link dev.windrow.dataset.EventTimes}
 * @param id the producer's own id, the same when it sends the event again; optional
 * @param tenant the isolated owner, see {@link TenantNames}
 * @param attributes its attributes; a JSON null is absent
 * @param count how many times it happened, 1 by default; a negative count retracts that many
 */
public record Event(String type, Instant time, @Nullable String id, String tenant, Map<String, Attribute> attributes,
        long count) {

    /** An event that happened once. */
    public Event(String type, Instant time, @Nullable String id, String tenant, Map<String, Attribute> attributes) {
        this(type, time, id, tenant, attributes, 1);
    }

}
