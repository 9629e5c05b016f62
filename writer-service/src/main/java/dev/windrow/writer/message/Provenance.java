package dev.windrow.writer.message;

/** Message attributes of a dead letter: why it is one, and which message it was. */
public final class Provenance {

    /** The {@link dev.windrow.base.Reason#word() reason}. */
    public static final String REASON = "reason";

    /** What was expected and found, human-readable. */
    public static final String DETAIL = "detail";

    /** When the message was first received, RFC 3339. */
    public static final String FIRST_SEEN = "first-seen";

    /** The id of the message that could not be counted, or whose event could not. */
    public static final String SOURCE_MESSAGE_ID = "source-message-id";

    /** The position of the event in that message; absent if the dead letter is the message as a whole. */
    public static final String SOURCE_EVENT = "source-event";

    /** When that message was sent, in milliseconds since the epoch. */
    public static final String SOURCE_SENT = "source-sent";

    /** The format of parked additions; present only if the body holds additions to a bucket instead of events. */
    public static final String PARKED = "parked";

    private Provenance() {
    }
}
