package dev.windrow.writer.decode;

import java.util.Locale;

/** What the events of a message were wrapped in. */
public enum Envelope {

    /** Nothing: events of Windrow's own form, also as SNS delivers them raw. */
    PLAIN,
    /** CloudEvents 1.0 in structured mode. */
    CLOUDEVENTS,
    /** A notification of SNS. */
    SNS,
    /** An event of EventBridge. */
    EVENTBRIDGE;

    /** The name in metrics. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
