package dev.windrow.dataset;

import java.util.Locale;

/** Deduplication: the id by which redeliveries are recognized. */
public enum Dedupe {

    /** The message's id and sent time, which are the same in every redelivery. */
    MESSAGE,

    /** The event's own id and time, which are the same when a producer resends it. */
    EVENT_ID;

    /** The name in declarations. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
