package dev.windrow.writer.decode;

import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

import dev.windrow.base.Reason;
import dev.windrow.event.Attribute;
import dev.windrow.event.Event;
import dev.windrow.event.TenantNames;

/**
 * Reads the events of one message one by one from a stream of JSON tokens: plain events, CloudEvents and EventBridge events,
 * recognized by fields that no other format has. Unknown top-level fields are skipped without parsing them, as producers
 * may send more than Windrow counts.
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
    private @Nullable Envelopes data;
    private @Nullable Envelopes detail;
    /** Errors in fields of envelopes, which other events may have for anything. */
    private @Nullable ValueReader outer;
    private @Nullable SnsNotification notification;

    /** @param mayBeNotification whether a value may be an SNS notification instead of an event */
    EventReader(Set<String> usedAttributes, EventDefaults hints, boolean mayBeNotification) {
        this.values = new ValueReader(usedAttributes);
        this.hints = hints;
        this.mayBeNotification = mayBeNotification;
    }

    /** Returns why {@link #read} returned null. */
    RejectedEvent rejection() {
        return Objects.requireNonNull(values.rejection());
    }

    /** Returns the type of the last event, even a rejected one; null if unknown. */
    @Nullable
    String type() {
        return type == null ? hints.type() : type;
    }

    /** Returns the envelope of the events read so far. */
    Envelope envelope() {
        return envelope;
    }

    /** Returns the SNS notification if the last value was one instead of an event; null otherwise. */
    @Nullable
    SnsNotification notification() {
        return notification != null && notification.isWhole() ? notification : null;
    }

    /**
     * Reads one value and consumes all of it, even if it is rejected.
     *
     * @param json positioned at the value's first token
     * @param isWhole whether the value is the whole text; only then can it be the data of a CloudEvent in binary mode
     * @return null if the event is rejected
     * @throws IOException if the text is not JSON
     */
    @Nullable
    Event read(JsonParser json, boolean isWhole) throws IOException {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            json.skipChildren();
            values.reject(Reason.NOT_AN_OBJECT, "event", "expected a JSON object");
            return null;
        }
        if (isWhole && hints.cloudEvent() != null) {
            readBinary(json, hints.cloudEvent());
        } else {
            while (json.nextToken() != JsonToken.END_OBJECT) {
                String field = json.currentName();
                json.nextToken();
                readField(json, field);
            }
        }
        if (specVersion != null || detailType != null) {
            unwrap();
        }
        return finish();
    }

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
        data = null;
        detail = null;
        outer = null;
        notification = null;
    }

    private void readField(JsonParser json, String field) throws IOException {
        switch (field) {
            case "type" -> type = once(field, type, values.text(json, field));
            case "time" -> time = once(field, time, values.time(json));
            case "id" -> id = once(field, id, values.id(json));
            case "tenant" -> tenant = once(field, tenant, values.text(json, field));
            case "count" -> count = once(field, count, values.count(json));
            case "attributes" -> attributes = once(field, attributes, values.attributes(json));
            case "specversion" -> specVersion = outerOnce(field, specVersion, SnsNotification.text(json));
            case "detail-type" -> detailType = outerOnce(field, detailType, SnsNotification.text(json));
            case "source" -> source = outerOnce(field, source, SnsNotification.text(json));
            case "data" -> data = outerOnce(field, data, Envelopes.read(json, values, field));
            case "data_base64" -> data = outerOnce(field, data, Envelopes.readBase64(json, outer()));
            case "detail" -> detail = outerOnce(field, detail, Envelopes.read(json, values, field));
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

    private <T> @Nullable T outerOnce(String field, @Nullable T before, @Nullable T value) {
        if (before != null) {
            outer().reject(Reason.DUPLICATE_FIELD, field, "the field appears twice");
        }
        return value;
    }

    private ValueReader outer() {
        ValueReader known = outer == null ? values.fresh() : outer;
        outer = known;
        return known;
    }

    private void readBinary(JsonParser json, Map<String, String> cloudEvent) throws IOException {
        specVersion = cloudEvent.get("specversion");
        type = cloudEvent.get("type");
        source = cloudEvent.get("source");
        id = cloudEvent.get("id");
        tenant = cloudEvent.get("tenant");
        String text = cloudEvent.get("time");
        time = text == null ? null : values.time(new Attribute.Text(text));
        data = Envelopes.read(json, values, "data");
    }

    /** Replaces the envelope's fields with those of the event in it. */
    private void unwrap() {
        boolean cloud = specVersion != null;
        envelope = cloud ? Envelope.CLOUDEVENTS : Envelope.EVENTBRIDGE;
        type = cloud ? type : detailType;
        Envelopes payload = cloud ? data : detail;
        if (outer != null) {
            values.reject(outer.rejection());
        }
        if (payload == null) {
            values.reject(Reason.INVALID_ENVELOPE, cloud ? "data" : "detail", "expected a JSON object");
            return;
        }
        // In CloudEvents, source and id together identify an event. An empty id counts as absent.
        boolean joined = cloud && id != null && !id.isEmpty() && source != null;
        String outerId = joined ? source + " " + id : id;
        Attribute innerType = payload.field("type", values);
        if (type == null || innerType == null || innerType.equals(new Attribute.Text(type))) {
            type = payload.text("type", type, values);
            id = payload.text("id", outerId, values);
        } else {
            // A payload of another type is a document (JSON:API) that only looks like an event: the envelope identifies it.
            id = outerId;
        }
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
        if (time == null && specVersion != null) {
            // CloudEvents may lack a time.
            time = hints.sent();
        }
        if (time == null) {
            values.reject(Reason.MISSING_FIELD, "time", "expected the event's time, such as 2026-11-20T10:31:32Z");
            return null;
        }
        if (!TenantNames.isValid(owner)) {
            values.reject(Reason.INVALID_TENANT, "tenant", "expected " + TenantNames.EXPECTED);
            return null;
        }
        return new Event(eventType, time, id, owner, attributes == null ? Map.of() : attributes, count == null ? 1 : count);
    }

    private <T> @Nullable T once(String field, @Nullable T before, @Nullable T value) {
        if (before != null) {
            values.reject(Reason.DUPLICATE_FIELD, field, "the field appears twice");
        }
        return value;
    }

}
