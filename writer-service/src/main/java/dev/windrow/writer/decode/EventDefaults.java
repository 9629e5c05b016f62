package dev.windrow.writer.decode;

import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.TenantNames;

/**
 * Defaults from outside a message's body; an event's own fields override them.
 *
 * @param type the type of events that name none; null if unknown
 * @param tenant the tenant of events that name none
 */
record EventDefaults(@Nullable String type, String tenant) {

    /** Message attribute that gives {@link #type}. */
    static final String TYPE = "type";

    /** Message attribute that gives {@link #tenant}. */
    static final String TENANT = "tenant";

    private static final EventDefaults NONE = new EventDefaults(null, TenantNames.DEFAULT);

    /** From message attributes. */
    static EventDefaults of(Map<String, String> attributes) {
        return attributes.isEmpty() ? NONE
                : new EventDefaults(attributes.get(TYPE), attributes.getOrDefault(TENANT, TenantNames.DEFAULT));
    }
}
