package dev.windrow.writer.decode;

import org.jspecify.annotations.Nullable;

import dev.windrow.event.Tenants;

/**
 * What is known of a message's events from outside its body; an event's own fields win over it.
 *
 * @param type the type of events that name none; null if unknown
 * @param tenant the tenant of events that name none
 */
record Hints(@Nullable String type, String tenant) {

    /** Nothing but the default tenant. */
    static final Hints NONE = new Hints(null, Tenants.DEFAULT);
}
