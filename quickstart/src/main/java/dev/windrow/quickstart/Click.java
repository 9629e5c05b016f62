package dev.windrow.quickstart;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * One request to a web site, or several equal ones in one event.
 *
 * @param referrer where the visitor came from, {@code -} if a log has none
 * @param country the visitor's country, {@code -} if a log has none
 * @param count number of requests, at least 1
 * @param bytes total size of the responses; absent if a log has {@code -}
 */
record Click(Instant time, String referrer, String page, String country, int count, @Nullable Long bytes) {
}
