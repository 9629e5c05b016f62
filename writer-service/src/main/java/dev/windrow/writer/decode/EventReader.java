package dev.windrow.writer.decode;

import java.io.IOException;
import java.time.Instant;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

import dev.windrow.base.Reason;
import dev.windrow.dataset.Event;
import dev.windrow.dataset.Event.Attribute;
import dev.windrow.dataset.TenantNames;

/**
 * Reads the events of one message, one after the other, from a stream of JSON tokens: plain ones, CloudEvents in
 * structured mode, and events of EventBridge, distinguished by the fields that only they have. Unknown top-level
 * fields are skipped unparsed: producers may send more than is counted.
 */
final class EventReader {

    private final ValueReader values;
    private final EventDefaults hints;
    private final boolean mayBeNotification;
    private Envelope envelope = Envelope.PLAIN;

    private @Nullable String type;
    private @Nullable Instant time;
    private @Nullable String id;
    private @Nullable String tenant;
    private @Nullable Map<String, Attribute> attributes;
    private @Nullable Long count;

    private @Nullable String specVersion;
    private @Nullable String detailType;
    private @Nullable String source;
    private @Nullable Payload payload;
    private @Nullable SnsNotification notification;

    /** @param mayBeNotification whether a value may be a notification of SNS instead of an event */
    EventReader(UsedAttributes usedAttributes, EventDefaults hints, boolean mayBeNotification) {
        this.values = new ValueReader(usedAttributes);
        this.hints = hints;
        this.mayBeNotification = mayBeNotification;
    }

    /** Why {@link #read} returned null. */
    RejectedEvent rejection() {
        RejectedEvent rejection = values.rejection();
        if (rejection == null) {
            throw new IllegalStateException("the last event was not rejected");
        }
        return rejection;
    }

    /** The type of the last event, also if it was rejected; null if it is not known. */
    @Nullable
    String type() {
        return type == null ? hints.type() : type;
    }

    /** How the events that were read so far were wrapped. */
    Envelope envelope() {
        return envelope;
    }

    /** The notification of SNS that the value was, in which case it is no event; null if it was none. */
    @Nullable
    SnsNotification notification() {
        return notification != null && notification.isWhole() ? notification : null;
    }

    /**
     * Reads one value, which is consumed whole either way.
     *
     * @param json positioned at the value's first token
     * @return null if the event is rejected
     * @throws IOException if the text is not JSON
     */
    @Nullable
    Event read(JsonParser json) throws IOException {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            json.skipChildren();
            values.reject(Reason.NOT_AN_OBJECT, "event", "expected a JSON object");
            return null;
        }
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String field = json.currentName();
            json.nextToken();
            readField(json, field);
        }
        if (specVersion != null || detailType != null) {
            unwrap();
        }
        return finish();
    }

    /** Starts a new event. */
    void start(int position) {
        values.start(position);
        type = null;
        time = null;
        id = null;
        tenant = null;
        attributes = null;
        count = null;
        specVersion = null;
        detailType = null;
        source = null;
        payload = null;
        notification = null;
    }

    private void readField(JsonParser json, String field) throws IOException {
        switch (field) {
            case "type" -> type = once(field, type, values.text(json, field));
            case "time" -> time = once(field, time, values.time(json));
            case "id" -> id = once(field, id, values.text(json, field));
            case "tenant" -> tenant = once(field, tenant, values.text(json, field));
            case "count" -> count = once(field, count, values.count(json));
            case "attributes" -> attributes = once(field, attributes, values.attributes(json));
            case "specversion" -> specVersion = SnsNotification.text(json);
            case "detail-type" -> detailType = SnsNotification.text(json);
            case "source" -> source = SnsNotification.text(json);
            case "data", "detail" -> payload = Payload.read(json, values, field);
            case "Type", "TopicArn", "Message", "MessageAttributes" -> {
                if (!mayBeNotification) {
                    json.skipChildren();
                    return;
                }
                notification = notification == null ? new SnsNotification() : notification;
                notification.readField(json, field);
            }
            default -> json.skipChildren();
        }
    }

    /** Makes the fields of an envelope those of the event in it. */
    private void unwrap() {
        boolean cloud = specVersion != null;
        envelope = cloud ? Envelope.CLOUDEVENTS : Envelope.EVENTBRIDGE;
        type = cloud ? type : detailType;
        if (payload == null) {
            values.reject(Reason.INVALID_ENVELOPE, cloud ? "data" : "detail", "expected a JSON object");
            return;
        }
        // In CloudEvents, source and id together identify an event; an empty id counts as none.
        boolean joined = cloud && id != null && !id.isEmpty() && source != null;
        type = payload.text("type", type, values);
        id = payload.text("id", joined ? source + " " + id : id, values);
        tenant = payload.text("tenant", tenant, values);
        attributes = payload.attributes(values);
        Attribute inner = payload.field("time", values);
        if (inner != null) {
            time = values.time(inner);
        }
        Attribute innerCount = payload.field("count", values);
        if (innerCount != null) {
            count = values.count(innerCount);
        }
    }

    private @Nullable Event finish() {
        String eventType = type();
        String owner = tenant == null ? hints.tenant() : tenant;
        if (values.rejection() != null) {
            return null;
        }
        if (eventType == null) {
            values.reject(Reason.MISSING_FIELD, "type", "expected the event's type");
            return null;
        }
        if (time == null) {
            values.reject(Reason.MISSING_FIELD, "time", "expected the event's time, such as 2026-11-20T10:31:32Z");
            return null;
        }
        if (!TenantNames.isValid(owner)) {
            values.reject(Reason.INVALID_TENANT, "tenant", "expected " + TenantNames.EXPECTED);
            return null;
        }
        return new Event(eventType, time, id, owner, attributes == null ? Map.of() : attributes,
                count == null ? 1 : count);
    }

    private <T> @Nullable T once(String field, @Nullable T before, @Nullable T value) {
        if (before != null) {
            values.reject(Reason.DUPLICATE_FIELD, field, "expected the field once");
        }
        return value;
    }
}
