package dev.windrow.gather.query;

import java.time.Duration;

/**
 * What one request may ask for.
 *
 * @param defaultLimit items of a page where the request names none
 * @param maxLimit most items of a page
 * @param maxPoints most buckets of a series
 * @param maxTop most items of a top list
 * @param maxLabels most labels that a top list is picked from
 * @param maxWindow longest window of buckets that are watched
 * @param defaultTimeout how long an answer may take where the request says nothing
 * @param maxTimeout longest time a request may ask for
 */
public record QueryLimits(int defaultLimit, int maxLimit, int maxPoints, int maxTop, int maxLabels,
        Duration maxWindow, Duration defaultTimeout, Duration maxTimeout) {
}
