package dev.windrow.scatter;

import java.time.Instant;

/**
 * A span of event times with one width, up to the start of the next epoch.
 *
 * @param width the number of scatter shards, 1 to {@link #WIDEST}
 */
public record WidthEpoch(Instant from, int width) {

    /** Maximum number of shards. 1,000 take a million writes a second at one bucket start; a gather must query them all. */
    public static final int WIDEST = 1_000;

    public WidthEpoch {
        if (width < 1 || width > WIDEST) {
            throw new IllegalArgumentException("expected a width from 1 to " + WIDEST + ", found " + width);
        }
    }
}
