package dev.windrow.dataset;

import java.util.Locale;

/** The parts of a value, each an attribute of a bucket's item. Part of the storage format. */
public enum MeasurePart {

    /** An exact number. */
    VALUE("m_"),
    /** The event time of the number, in decimal seconds since the epoch. */
    TIME("t_");

    private final String prefix;

    MeasurePart(String prefix) {
        this.prefix = prefix;
    }

    /** The attribute of a bucket's item that holds it. */
    public String attribute(String measure) {
        return prefix + measure;
    }

    /** Its name in text representations of values. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
