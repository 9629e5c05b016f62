package dev.windrow.gather.fanout;

import java.time.Duration;

/**
 * What was gathered, and how.
 *
 * @param result the answer
 * @param report what happened on the way
 * @param waited how long the answer waited for its turn
 * @param gathered how long reading and merging took
 */
public record GatherResult<T>(T result, GatherReport report, Duration waited, Duration gathered) {
}
