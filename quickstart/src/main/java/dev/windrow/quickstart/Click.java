package dev.windrow.quickstart;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * One request to a web site, or several alike in one event.
 *
 * @param referrer where the visitor came from, {@code -} where a log has none
 * @param country the visitor's, {@code -} where a log has none
 * @param count how many there were, 1 or more
 * @param bytes the size of all answers together; absent where a log has {@code -}
 */
record Click(Instant time, String referrer, String page, String country, int count, @Nullable Long bytes) {
}
