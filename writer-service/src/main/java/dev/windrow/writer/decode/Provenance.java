package dev.windrow.writer.decode;

/** Message attributes of a dead letter: its reason and its source message. */
public final class Provenance {

    /** The {@link dev.windrow.base.Reason#word() reason}. */
    public static final String REASON = "reason";

    /** What was expected and found, human-readable. */
    public static final String DETAIL = "detail";

    /** When the message was first received, RFC 3339. */
    public static final String FIRST_SEEN = "first-seen";

    /** The id of the source message, which could not be counted or had an event that could not. */
    public static final String SOURCE_MESSAGE_ID = "source-message-id";

    /** The position of the event in the source message; absent if the dead letter is the whole message. */
    public static final String SOURCE_EVENT = "source-event";

    /** Which part of a divided dead letter this is, such as {@code 2/3}; absent if the dead letter is whole. */
    public static final String PART = "letter-part";

    /** When the source message was sent, in milliseconds since the epoch. */
    public static final String SOURCE_SENT = "source-sent";

    /** The format of parked additions; present only if the body holds additions to a bucket instead of events. */
    public static final String PARKED = "parked";

    private Provenance() {
    }
}
