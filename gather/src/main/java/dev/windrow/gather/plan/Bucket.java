package dev.windrow.gather.plan;

import java.time.Instant;

import dev.windrow.base.KeyCodec;
import dev.windrow.dataset.Granularity;
import dev.windrow.dataset.Rfc3339Parser;
import dev.windrow.table.Label;

/**
 * One bucket of one label, all key shards together.
 *
 * @param position its position in key order, which a cursor holds
 */
public record Bucket(String position, Label label, Granularity granularity, MeasureValues values) {

    /** Its start, parsed on demand: not every answer needs it, and some have thousands of buckets. */
    public Instant start() {
        return Rfc3339Parser.instant(startText());
    }

    /** Its start as in keys and answers: cutting it out of a text costs less than formatting a time. */
    public String startText() {
        int end = position.indexOf(KeyCodec.SEPARATOR);
        // Nothing follows in a dataset without a label.
        return end < 0 ? position : position.substring(0, end);
    }
}
