package dev.windrow.dataset;

import java.util.Locale;

/** Deduplication: the id by which redeliveries are recognized. */
public enum Dedupe {

    /** The message's id and sent time, which every redelivery repeats. */
    MESSAGE,

    /** The event's own id and time, which a producer that resends repeats. */
    EVENT_ID;

    /** The name in declarations. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
