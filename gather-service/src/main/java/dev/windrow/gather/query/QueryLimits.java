package dev.windrow.gather.query;

import java.time.Duration;

/**
 * What one request may ask for.
 *
 * @param defaultLimit items of a page where the request names none
 * @param mostLimit most items of a page
 * @param mostPoints most buckets of a series
 * @param mostTop most items of a top list
 * @param mostWindow longest window of buckets that are watched
 * @param defaultTimeout how long an answer may take where the request says nothing
 * @param mostTimeout longest time a request may ask for
 */
public record QueryLimits(int defaultLimit, int mostLimit, int mostPoints, int mostTop, Duration mostWindow,
        Duration defaultTimeout,
        Duration mostTimeout) {
}
