package dev.windrow.gather.plan;

import java.time.Instant;

import dev.windrow.base.KeyCodec;
import dev.windrow.table.Label;
import dev.windrow.time.Granularity;
import dev.windrow.time.Rfc3339Parser;

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
