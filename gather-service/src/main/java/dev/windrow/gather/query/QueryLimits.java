package dev.windrow.gather.query;

import java.time.Duration;

/**
 * Limits of one request.
 *
 * @param defaultLimit items of a page where the request names none
 * @param maxLimit maximum number of items of a page
 * @param maxPoints maximum number of buckets of a series
 * @param maxTop maximum number of items of a top list
 * @param maxLabels maximum number of labels that a top list is picked from
 * @param maxWindow maximum window of watched buckets
 * @param defaultTimeout how long an answer may take where the request says nothing
 * @param maxTimeout maximum timeout of a request
 */
public record QueryLimits(int defaultLimit, int maxLimit, int maxPoints, int maxTop, int maxLabels,
        Duration maxWindow, Duration defaultTimeout, Duration maxTimeout) {
}
