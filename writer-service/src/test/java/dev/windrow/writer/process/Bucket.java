package dev.windrow.writer.process;

import java.util.Comparator;

/**
 * A bucket, its key shards taken together.
 *
 * @param label the label's values, joined by spaces
 * @param start RFC 3339
 */
record Bucket(String dataset, String label, String granularity, String start) implements Comparable<Bucket> {

    private static final Comparator<Bucket> ORDER = Comparator.comparing(Bucket::dataset).thenComparing(Bucket::label)
            .thenComparing(Bucket::granularity).thenComparing(Bucket::start);

    @Override
    public int compareTo(Bucket other) {
        return ORDER.compare(this, other);
    }
}
