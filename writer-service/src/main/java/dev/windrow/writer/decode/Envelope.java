package dev.windrow.writer.decode;

/** The envelope of a message's events. */
public enum Envelope {

    /** No envelope: events of Windrow's own form, including raw delivery by SNS. */
    PLAIN,
    /** No envelope: events of a declared form. */
    FORM,
    /** CloudEvents 1.0. */
    CLOUDEVENTS,
    /** An SNS notification. */
    SNS,
    /** An EventBridge event. */
    EVENTBRIDGE;
}
