package dev.windrow.gather.plan;

import java.time.Duration;

/**
 * Limits of one request.
 *
 * @param defaultLimit items of a page if the request sets no limit
 * @param maxLimit maximum number of items of a page
 * @param maxPoints maximum number of buckets of a series
 * @param maxTop maximum number of items of a top list
 * @param maxLabels maximum number of labels that a top list is picked from
 * @param maxWindow maximum window of watched buckets
 * @param defaultTimeout how long an answer may take if the request sets no timeout
 * @param maxTimeout maximum timeout of a request
 */
public record QueryLimits(int defaultLimit, int maxLimit, int maxPoints, int maxTop, int maxLabels,
        Duration maxWindow, Duration defaultTimeout, Duration maxTimeout) {

    /** A page that a person reads; programs ask for larger ones. */
    public static final int DEFAULT_LIMIT = 100;

    /** A list that a person may still look through; picking a longer one costs as much as all labels. */
    public static final int MAX_TOP = 1_000;

    /** Older buckets change too rarely to be watched. */
    public static final Duration MAX_WINDOW = Duration.ofDays(1);
}
