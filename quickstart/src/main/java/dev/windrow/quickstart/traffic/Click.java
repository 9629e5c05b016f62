package dev.windrow.quickstart.traffic;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * One request to a web site.
 *
 * @param time when
 * @param referrer the page it came from, {@code -} where the log has none
 * @param url the requested path
 * @param host the client
 * @param status the HTTP status answered
 * @param bytes the size of the answer; absent where the log has {@code -}
 */
public record Click(Instant time, String referrer, String url, String host, int status, @Nullable Long bytes) {
}
