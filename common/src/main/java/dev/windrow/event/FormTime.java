package dev.windrow.event;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.KeyCodec;
import dev.windrow.base.Reason;
import dev.windrow.time.EventTimes;
import dev.windrow.time.TimePattern;

/**
 * The source and format of an event's time.
 *
 * @param path the path of the time; null for the message's sent time
 * @param format the format of the time; null for the formats that {@link EventTimes} reads
 * @param zone the zone of times without one, unless the object has it; null if a zone is required
 * @param zonePath the path of the zone; null if it is the same for all
 * @param shift what is added to the time
 */
public record FormTime(@Nullable FormPath path, @Nullable TimePattern format, @Nullable ZoneId zone,
        @Nullable FormPath zonePath,
        Duration shift) {

    /** The zones of fields, for error messages. */
    public static final String ZONE_EXPECTED = "a region such as Europe/Berlin or an offset such as +01:00";

    /** The message's sent time. */
    public static final FormTime SENT = new FormTime(null, null, null, null, Duration.ZERO);

    /**
     * Reads a time, without its shift.
     *
     * @param in the zone of a time without one; null if a zone is required, or with a format for UTC
     * @throws InvalidInputException with {@link Reason#INVALID_TIME} if it is not a valid time, or with
     *         {@link Reason#WRONG_FIELD_TYPE} if it is neither text nor a number
     */
    public Instant read(String field, Attribute value, @Nullable ZoneId in) {
        if (format != null && (value instanceof Attribute.Text || value instanceof Attribute.Decimal)) {
            return format.read(field, String.valueOf(value.label()), in == null ? ZoneOffset.UTC : in);
        }
        if (value instanceof Attribute.Text text) {
            return EventTimes.parse(field, text.value(), in);
        }
        if (value instanceof Attribute.Decimal number) {
            return EventTimes.ofEpoch(field, number.value());
        }
        throw new InvalidInputException(Reason.WRONG_FIELD_TYPE, field,
                "expected text such as 2026-11-20T10:31:32Z, or a number since 1970, found " + value.description());
    }

    /** Reads a zone; empty if it is none. */
    public static Optional<ZoneId> zone(String text) {
        try {
            return Optional.of(ZoneId.of(text));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    String text() {
        List<String> parts = new ArrayList<>(List.of(path == null ? "sent" : "at " + path.text(),
                format == null ? "" : format.pattern(), zone == null ? "" : zone.getId()));
        if (zonePath != null) {
            parts.add("zone " + zonePath.text());
        }
        if (!shift.isZero()) {
            parts.add("shift " + shift);
        }
        return KeyCodec.encode(parts);
    }
}
