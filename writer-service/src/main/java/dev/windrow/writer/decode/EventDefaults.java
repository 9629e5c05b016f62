package dev.windrow.writer.decode;

import java.time.Instant;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import dev.windrow.event.TenantNames;

/**
 * Defaults from outside a message's body; an event's own fields override them.
 *
 * @param type the type of events that name none; null if unknown
 * @param tenant the tenant of events that name none
 * @param cloudEvent the attributes of a CloudEvent in binary mode, whose data is the body; null for other messages
 */
record EventDefaults(@Nullable String type, String tenant, Instant sent, @Nullable Map<String, String> cloudEvent) {

    /** Message attribute that gives {@link #type}. */
    static final String TYPE = "type";

    /** Message attribute that gives {@link #tenant}. */
    static final String TENANT = "tenant";

    /** Attribute names of the CloudEvents bindings to HTTP and Kafka; SQS has no binding. */
    private static final Pattern CLOUD_EVENT = Pattern.compile("ce[-_]([a-z0-9]+)", Pattern.CASE_INSENSITIVE);

    /** Reads the defaults from message attributes. */
    static EventDefaults of(Map<String, String> attributes, Instant sent) {
        if (attributes.isEmpty()) {
            return new EventDefaults(null, TenantNames.DEFAULT, sent, null);
        }
        Map<String, String> cloudEvent = new HashMap<>();
        attributes.forEach((name, value) -> {
            Matcher matcher = CLOUD_EVENT.matcher(name);
            if (matcher.matches()) {
                cloudEvent.put(matcher.group(1).toLowerCase(Locale.ROOT), value);
            }
        });
        return new EventDefaults(attributes.get(TYPE), attributes.getOrDefault(TENANT, TenantNames.DEFAULT), sent,
                cloudEvent.containsKey("specversion") ? cloudEvent : null);
    }
}
